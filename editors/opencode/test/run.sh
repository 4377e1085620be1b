#!/usr/bin/env bash
# run.sh: drives the real opencode with a scripted model and the shipped configuration, which starts the language server; what
# counts is what the model read. OGUARD names another program under test than the debug build of this checkout.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=../../assistants/stage.sh
source "$here/../../assistants/stage.sh"

version=1.18.33
case "$(uname -m)" in
  x86_64) kind=linux-x64; grep -qw avx2 /proc/cpuinfo || kind=linux-x64-baseline ;;
  aarch64) kind=linux-arm64 ;;
  *) echo "SKIPPED: opencode has no program for $(uname -m)" >&2; exit 0 ;;
esac
stage opencode
agent "opencode-$version" "opencode-$kind@$version"
cd "$project"
model "$here/script.json"
# The shipped file, with the scripted model beside it.
python3 - "$here/../opencode.json" "$port" >"$tmp/opencode.json" <<'P'
import json, sys
settings = json.load(open(sys.argv[1], encoding="utf-8"))
limits = {"context": 100000, "output": 4096}
settings |= {
    "autoupdate": False, "share": "disabled", "model": "scripted/model", "small_model": "scripted/model", "enabled_providers": ["scripted"],
    "provider": {"scripted": {
        "npm": "@ai-sdk/openai-compatible", "name": "Scripted", "options": {"baseURL": f"http://127.0.0.1:{sys.argv[2]}/v1", "apiKey": "none"},
        "models": {"model": {"name": "Scripted", "limit": limits, "tool_call": True}}}},
    "permission": {"edit": "allow", "bash": "deny", "webfetch": "deny"},
}
settings["lsp"] |= {"pyright": {"disabled": True}, "ty": {"disabled": True}}
json.dump(settings, sys.stdout)
P

status=0
"${clean[@]}" OPENCODE_CONFIG="$tmp/opencode.json" OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 \
  OPENCODE_DISABLE_LSP_DOWNLOAD=1 OPENCODE_DISABLE_DEFAULT_PLUGINS=1 OPENCODE_DISABLE_SHARE=1 \
  timeout 120 "$agent/node_modules/opencode-$kind/bin/opencode" run --pure --print-logs --log-level INFO 'Make the test pass.' \
  >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
if [ "$status" -ne 0 ]; then
  echo "opencode ended with $status" >&2
  tail -n 30 "$tmp/out" "$tmp/err" >&2 || true
  exit 1
fi

# Read; edited: told; repaired: nothing; a stub, which is a warning that the shipped file lifts: told; implemented: nothing.
heard 'test-disabled: `pytest.mark.skip` disables `test_add`' 0 0 1 1 1 1
heard 'stub-body: ' 0 0 0 0 1 1
heard 'ERROR [' 0 0 1 1 2 2
echo 'opencode: passed'
