# What the tests of coding agents share; read by their run.sh with `source`. It sets the stage in a folder for temporary files:
# the program under test, a project with a commit, a home without anything of this machine's user, and the scripted model.
#
#   stage NAME            makes it; sets tmp, project, oguard
#   agent NAME PACKAGE... installs npm packages once into a cache folder; sets agent to it
#   model SCRIPT          starts the model; sets port; what it reads is in $tmp/heard.jsonl
#   heard WORDS COUNT...  how often the model had read WORDS at each turn
# shellcheck shell=bash

assistants="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$assistants/../.." && pwd)"
model_process=

if [ "$(uname -s)" != Linux ]; then
  echo "SKIPPED: this agent is tried on Linux only, and this is $(uname -s)" >&2
  exit 0
fi

stage() {
  # Not under /tmp: some agents keep no helpers there.
  tmp="$(mktemp -d -p /var/tmp "oguard-$1-XXXXXX")"
  trap 'kill "$model_process" 2>/dev/null || true; rm -rf "$tmp"' EXIT
  oguard="$(realpath "${OGUARD:-${CARGO_TARGET_DIR:-$root/target}/debug/oguard}")"
  [ -x "$oguard" ] || { echo "no program at $oguard; run 'cargo build -p oguard' first" >&2; exit 1; }
  mkdir -p "$tmp/bin" "$tmp/home"
  ln -s "$oguard" "$tmp/bin/oguard"
  project="$tmp/project"
  cp -R "$assistants/project" "$project"
  git_ init --quiet --initial-branch=main
  git_ add --all
  git_ commit --quiet --message=base
  clean=(env -i PATH="$tmp/bin:$PATH" HOME="$tmp/home" LANG=C.UTF-8 GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1)
}

git_() {
  GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$project" -c user.name=test -c user.email=test@example.invalid "$@"
}

agent() {
  agent="${XDG_CACHE_HOME:-$HOME/.cache}/oguard/$1"
  if [ ! -e "$agent/complete" ]; then
    rm -rf "$agent"
    mkdir -p "$agent"
    npm install --silent --no-save --no-audit --no-fund --ignore-scripts --force --prefix "$agent" "${@:2}"
    touch "$agent/complete"
  fi
}

model() {
  sed "s|@PROJECT@|$project|g" "$1" >"$tmp/script.json"
  mkfifo "$tmp/port"
  python3 "$assistants/model.py" "$tmp/script.json" "$tmp/heard.jsonl" >"$tmp/port" &
  model_process=$!
  read -r port <"$tmp/port"
}

heard() { python3 "$assistants/heard.py" "$tmp/heard.jsonl" "$@"; }
