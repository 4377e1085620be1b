#!/usr/bin/env bash
# run.sh: drives the real Codex with a scripted model. The hooks are put in by `oguard hook install`, for the project and then for
# the user, and what counts is what the model read. OGUARD names another program under test than the debug build of this checkout.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=../../assistants/stage.sh
source "$here/../../assistants/stage.sh"

version=0.171.0
stage codex
agent "codex-$version" "@openai/codex@$version"
cd "$project"
model "$here/script.json"
mkdir -p "$tmp/home/.codex"
cat >"$tmp/home/.codex/config.toml" <<T
# The name makes Codex offer its patch tool.
model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "http://127.0.0.1:$port/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
[analytics]
enabled = false
[otel]
exporter = "none"
[projects."$project"]
trust_level = "trusted"
T
level=(${OGUARD_LEVEL:-})
"${clean[@]}" oguard hook install codex "${level[@]}" --yes >"$tmp/installed"

status=0
"${clean[@]}" SCRIPTED_KEY=none timeout 120 "$agent/node_modules/.bin/codex" exec --dangerously-bypass-hook-trust --json 'Make the test pass.' \
  >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
if [ "$status" -ne 0 ]; then
  echo "codex ended with $status" >&2
  tail -n 20 "$tmp/out" "$tmp/err" >&2 || true
  exit 1
fi

# Edited: told; repaired: nothing; a stub: told; written by a command: told; stopped: told again; repaired: nothing.
heard 'test-disabled: `pytest.mark.skip` disables `test_add`' 0 1 1 1 2 3 3
heard 'stub-body: ' 0 0 0 1 1 1 1
heard 'oguard: the command ran' 0 0 0 0 1 1 1
heard 'oguard: not judged' 0 0 0 0 0 0 0
"${clean[@]}" oguard hook uninstall codex "${level[@]}" --yes >/dev/null
[ -z "$(git_ status --porcelain)" ] || { git_ status; echo 'FAILED: something was left behind' >&2; exit 1; }
[ ! -e "$tmp/home/.codex/hooks.json" ] || { echo 'FAILED: the user settings are still there' >&2; exit 1; }
echo 'Codex: passed'
