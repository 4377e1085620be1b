#!/usr/bin/env bash
# run.sh: drives the real Claude Code with a scripted model. The hooks are put in by `oguard hook install`, and what counts is what
# the model read. OGUARD names another program under test than the debug build of this checkout.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=../../assistants/stage.sh
source "$here/../../assistants/stage.sh"

version=2.1.332
stage claude-code
agent "claude-code-$version" "@anthropic-ai/claude-code@$version"
claude="$(find "$agent/node_modules/@anthropic-ai" -path '*claude-code-linux-*/claude' -type f | head -n 1)"
cd "$project"
"${clean[@]}" oguard hook install claude --yes >"$tmp/installed"
cp .claude/settings.json "$tmp/settings.json"

model "$here/script.json"
status=0
"${clean[@]}" IS_SANDBOX=1 \
  ANTHROPIC_BASE_URL="http://127.0.0.1:$port" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
  DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 DISABLE_AUTOUPDATER=1 DISABLE_BUG_COMMAND=1 \
  timeout 120 "$claude" -p 'Make the test pass.' --model scripted --permission-mode acceptEdits \
  --allowedTools 'Read Edit Write Bash' --output-format json --debug-file "$tmp/debug.log" \
  >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
if [ "$status" -ne 0 ]; then
  echo "claude ended with $status" >&2
  tail -n 20 "$tmp/out" "$tmp/err" "$tmp/debug.log" >&2 || true
  exit 1
fi

# Read; edited: told; repaired: nothing; a stub: told; written by a command: told; stopped: told again (the host says it twice); repaired: nothing.
heard 'test-disabled: `pytest.mark.skip` disables `test_add`' 0 0 1 1 1 2 4 4
heard 'stub-body: ' 0 0 0 0 1 1 1 1
heard 'oguard: ' 0 0 0 0 0 0 0 0
"${clean[@]}" oguard hook uninstall claude --yes >/dev/null
[ -z "$(git_ status --porcelain)" ] || { git_ status; echo 'FAILED: something was left behind' >&2; exit 1; }
echo 'Claude Code: passed'
