-- nvim --clean -l check.lua PLUGIN   (run by run.sh in a fresh repository)
--
-- One session as a person has it: open, type, look, fix, undo, commit, close. Waits for states, never for a time, and ends
-- with code 1 at the first thing that is not so.

local WAIT_MS_MAX = 15000
local POLL_MS = 5
local MESSAGE_CHARS_MAX = 160

-- The newest publish of each file: { version = ..., count = ... }. What Neovim shows cannot tell 'judged and clean' from
-- 'not judged yet'; this can.
local published = {}
local ended = nil

local function describe(buf)
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    lines[#lines + 1] = ('    %d:%d %s %s %s'):format(d.lnum + 1, d.col + 1, vim.diagnostic.severity[d.severity], d.code, d.message)
  end
  return table.concat(lines, '\n')
end

local function fail(what)
  local buf = vim.api.nvim_get_current_buf()
  io.write('\nFAIL ' .. what .. '\n  findings:\n' .. describe(buf) .. '\n  buffer:\n')
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, false)) do
    io.write(('    %3d %s\n'):format(number, line))
  end
  os.exit(1)
end

local function check(condition, what)
  if not condition then
    fail(what)
  end
  io.write('ok   ' .. what .. '\n')
end

local function wait(condition, what)
  local from = vim.uv.hrtime()
  local done = vim.wait(WAIT_MS_MAX, condition, POLL_MS)
  check(done, ('%s (%.0f ms)'):format(what, (vim.uv.hrtime() - from) / 1e6))
end

-- Whether the newest text of a buffer has been judged.
local function judged(buf)
  local last = published[vim.uri_from_bufnr(buf)]
  return last ~= nil and last.version == vim.lsp.util.buf_versions[buf]
end

local function wait_clean(buf, what)
  wait(function()
    return judged(buf) and #vim.diagnostic.get(buf) == 0
  end, what)
end

-- Waits until exactly one finding stands on a line of the newest text, and returns it.
local function wait_finding(buf, code, lnum, what)
  local function only()
    local all = vim.diagnostic.get(buf)
    return judged(buf) and #all == 1 and all[1].code == code and all[1].lnum == lnum and all[1]
  end
  wait(only, what)
  local finding = only()
  check(finding.severity == vim.diagnostic.severity.ERROR, 'it is an error')
  check(finding.source == 'oguard', 'it says who says it')
  local readable = vim.startswith(finding.message, code .. ': ') and not finding.message:find('\n')
  check(readable and vim.fn.strchars(finding.message) <= MESSAGE_CHARS_MAX, 'its message stands alone: ' .. finding.message)
  return finding
end

local function lines_of(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

-- Types as a person would, in an undo step of its own.
local function type_keys(keys)
  vim.bo.undolevels = vim.bo.undolevels
  vim.api.nvim_feedkeys(vim.keycode(keys), 'xt', false)
end

local function line_number(buf, text)
  for index, line in ipairs(lines_of(buf)) do
    if line:find(text, 1, true) then
      return index - 1
    end
  end
  fail('the buffer has a line with ' .. text)
end

-- Takes the code action of a title, as `gra` and a choice in the menu would.
local function take(buf, finding, title)
  vim.bo[buf].undolevels = vim.bo[buf].undolevels
  vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col })
  local offered = {}
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      offered[action.title] = true
      return action.title == title
    end,
  })
  wait(function()
    return offered[title]
  end, ("the action '%s' is offered"):format(title))
end

local function git(...)
  local done = vim.system({ 'git', ... }, { text = true }):wait(WAIT_MS_MAX)
  check(done.code == 0, 'git ' .. table.concat({ ... }, ' ') .. (done.code == 0 and '' or ': ' .. done.stderr))
end

local function open(path)
  vim.cmd.edit(path)
  return vim.api.nvim_get_current_buf()
end

-- Closes a file that has findings, so that clearing them can be seen.
local function close(buf)
  local uri = vim.uri_from_bufnr(buf)
  check(published[uri].count > 0, 'there is something to clear')
  vim.cmd.bwipeout(buf)
  wait(function()
    return published[uri].count == 0
  end, 'closing the file clears what was said of it')
  published[uri] = nil
end

-- The three lines of the README, and nothing else.
vim.opt.runtimepath:append(arg[1])
vim.cmd('filetype plugin indent on')
local shown = vim.lsp.handlers['textDocument/publishDiagnostics']
vim.lsp.handlers['textDocument/publishDiagnostics'] = function(err, result, context)
  published[result.uri] = { version = result.version, count = #result.diagnostics }
  return shown(err, result, context)
end
vim.lsp.config('oguard', {
  on_exit = function(code, signal)
    ended = { code = code, signal = signal }
  end,
})
vim.lsp.enable('oguard')
vim.diagnostic.config({ virtual_text = true })

-- 1. A file as committed. Its old skip is old debt, so nothing is said.
local py = open('tests/test_cart.py')
local committed = lines_of(py)
wait(function()
  local client = vim.lsp.get_clients({ bufnr = py, name = 'oguard' })[1]
  return client ~= nil and client.initialized
end, 'the server runs for a Python file')
local client = vim.lsp.get_clients({ bufnr = py, name = 'oguard' })[1]
check(vim.uv.fs_realpath(client.root_dir) == vim.uv.cwd(), 'its root is the repository')
wait_clean(py, 'the file as committed is clean, old skip and all')

-- 2. A skip is typed.
local at = line_number(py, 'def test_total')
type_keys(('%dGO@pytest.mark.skip<Esc>'):format(at + 1))
check(lines_of(py)[at + 1] == '@pytest.mark.skip', 'a skip was typed')
local finding = wait_finding(py, 'test-disabled', at, 'the skip is reported on its line')
check(finding.message:find('test_total', 1, true), 'the message names the test')

-- 3. What the hover says.
vim.api.nvim_win_set_cursor(0, { finding.lnum + 1, finding.col + 1 })
vim.lsp.buf.hover()
local float
wait(function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      float = window
      return true
    end
  end
end, 'the hover opens')
local page = table.concat(lines_of(vim.api.nvim_win_get_buf(float)), '\n')
check(page:find('test-disabled', 1, true) and #page > 100, 'it explains the rule')
vim.api.nvim_win_close(float, true)

-- 4. The fix, undone and redone.
take(py, finding, 'Remove the skip')
wait_clean(py, 'the fix clears the finding')
check(vim.deep_equal(lines_of(py), committed), 'the text is as committed')
vim.cmd.undo({ mods = { silent = true } })
wait_finding(py, 'test-disabled', at, 'undo brings the finding back')
vim.cmd.redo({ mods = { silent = true } })
wait_clean(py, 'redo clears it again')

-- 5. An edit by a program rather than by keys, as plugins and assistants make it.
vim.bo.undolevels = vim.bo.undolevels
vim.api.nvim_buf_set_text(py, at, 0, at, 0, { '@pytest.mark.skip', '' })
wait_finding(py, 'test-disabled', at, 'a skip that a program inserted is reported too')

-- 6. Saved and committed: the session's base stays where it began.
vim.cmd.write({ mods = { silent = true } })
git('commit', '--quiet', '--all', '--message=skip')
type_keys('Go# the end<Esc>')
wait_finding(py, 'test-disabled', at, 'a commit in the middle clears nothing')
vim.cmd.write({ mods = { silent = true } })
close(py)
py = open('tests/test_cart.py')
finding = wait_finding(py, 'test-disabled', at, 'nor does opening the file again')

-- 7. Another language: a focus, put back from the base.
local ts = open('web/cart.test.ts')
local tests = lines_of(ts)
wait_clean(ts, 'a TypeScript file as committed is clean')
at = line_number(ts, 'it("adds prices"')
type_keys(('%dG^ea.only<Esc>'):format(at + 1))
check(lines_of(ts)[at + 1] == '  it.only("adds prices", () => {', 'a focus was typed')
finding = wait_finding(ts, 'test-focused', at, 'the focus is reported on its line')
take(ts, finding, 'Restore this from the base')
wait_clean(ts, 'restoring clears the finding')
check(vim.deep_equal(lines_of(ts), tests), 'the test is as the base had it')

-- 8. Half-typed text is text too: the server lives, and the finding follows its line.
type_keys(('%dG^ea.only<Esc>Goit(<Esc>'):format(at + 1))
wait(function()
  local all = vim.diagnostic.get(ts)
  return judged(ts)
    and vim.iter(all):any(function(d)
      return d.code == 'test-focused' and d.lnum == at
    end)
end, 'broken text keeps its finding')
type_keys('ggO// first<Esc>Gdd')
finding = wait_finding(ts, 'test-focused', at + 1, 'the finding moves with its line')
take(ts, finding, 'Remove the focus')
wait_clean(ts, 'removing the focus clears it')

-- 9. The manual and the health page.
vim.cmd.helptags(arg[1] .. '/doc')
check(#vim.fn.getcompletion('oguard-setup', 'help') == 1, ':help knows the plugin')
vim.cmd('silent checkhealth oguard')
local health = table.concat(lines_of(0), '\n')
check(not health:find('ERROR', 1, true) and health:find('A server runs for', 1, true), ':checkhealth finds nothing wrong')

-- 10. The end.
client:stop()
wait(function()
  return ended ~= nil
end, 'the server ends when asked')
check(ended.code == 0 and ended.signal == 0, 'it ends well')
os.exit(0)
