-- `:checkhealth oguard`: why nothing is shown, in the order in which it goes wrong.

local M = {}

-- Longest wait for a program to say its version.
local VERSION_MS_MAX = 5000

-- Returns the first line that a command prints, or nil and why there is none.
local function first_line(argv)
  local started, process = pcall(vim.system, argv, { text = true })
  if not started then
    return nil, 'it cannot be run'
  end
  local done = process:wait(VERSION_MS_MAX)
  if done.code ~= 0 then
    return nil, ('it ended with code %d'):format(done.code)
  end
  return vim.split(done.stdout or '', '\n')[1]
end

local function check_neovim()
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim is 0.11 or newer')
    return true
  end
  vim.health.error('Neovim 0.11 or newer is needed', { 'Update Neovim: `vim.lsp.enable()` is not in older ones.' })
  return false
end

local function check_server()
  local cmd = vim.lsp.config.oguard.cmd
  if type(cmd) ~= 'table' then
    vim.health.info('The server is started by a function of your configuration')
    return
  end
  local program = cmd[1]
  if vim.fn.executable(program) == 0 then
    vim.health.error(('`%s` is not found'):format(program), {
      'Run `cargo install --path server/oguard` in a checkout of Objective Guard.',
      "Or name the program: `vim.lsp.config('oguard', { cmd = { '/path/to/oguard', 'lsp' } })`.",
    })
    return
  end
  local version, why = first_line({ program, '--version' })
  if version then
    vim.health.ok(('`%s` is %s'):format(vim.fn.exepath(program), version))
  else
    vim.health.error(('`%s --version`: %s'):format(program, why), { 'Build or install it again.' })
  end
end

local function check_git()
  local version, why = first_line({ 'git', '--version' })
  if version then
    vim.health.ok(version)
  else
    vim.health.warn('git: ' .. why, { 'Without git a file is compared with the text it had when it was opened.' })
  end
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'oguard' })
  if #clients == 0 then
    vim.health.info("No server runs: it starts with the first file of a known type, after `vim.lsp.enable('oguard')`")
  end
  for _, client in ipairs(clients) do
    local files = vim.tbl_count(client.attached_buffers)
    vim.health.ok(('A server runs for %s, with %d open file(s)'):format(client.root_dir or 'no folder', files))
  end
end

function M.check()
  vim.health.start('Objective Guard')
  if check_neovim() then
    check_server()
    check_git()
    check_clients()
  end
end

return M
