-- The configuration that `vim.lsp.enable('oguard')` reads (Neovim 0.11 or newer).
--
-- Only how the server is found and when it is told of a change. What it judges is set in the repository's `oguard.toml`,
-- so that every editor, hook and CI run judges alike.

return {
  cmd = { 'oguard', 'lsp' },
  filetypes = {
    'go',
    'java',
    'javascript',
    'javascriptreact',
    'python',
    'rust',
    'typescript',
    'typescriptreact',
  },
  -- The repository comes first: a change is compared with a commit, and a folder may have an `oguard.toml` of its own.
  root_markers = { '.git', 'oguard.toml' },
  -- Neovim waits 150 ms after a change by default. The server drops what is out of date by itself, so it may hear sooner.
  flags = { debounce_text_changes = 10 },
}
