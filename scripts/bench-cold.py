#!/usr/bin/env python3
"""Times `oguard check` on one changed file as a cold process against what it cannot do without.

usage: scripts/bench-cold.py [--oguard BIN] [--parse BIN] [--runs N] FILE…

For each FILE a scratch repository is made: FILE is committed, a few lines of it are changed in the work tree. Then, in turn
and N times: `true`, `git cat-file blob` of the base, two full parses (the floor, timed inside the process, see
server/engine/examples/parse.rs) and `oguard check`. Medians of one run and their ratios are printed, never a time alone.
Standard library only. Build first: cargo build --release && cargo build --release -p oguard-engine --example parse
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENV = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="b", GIT_AUTHOR_EMAIL="b@localhost",
           GIT_COMMITTER_NAME="b", GIT_COMMITTER_EMAIL="b@localhost")


def timed(command, root):
    begin = time.perf_counter()
    run = subprocess.run(command, cwd=root, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return (time.perf_counter() - begin) * 1000, run


def edited(text):
    """Changes one line in four places, as a small honest edit does."""
    lines = text.splitlines(keepends=True)
    for part in range(1, 5):
        at = part * len(lines) // 5
        while at + 1 < len(lines) and not lines[at].strip():
            at += 1
        lines.insert(at, lines[at] if lines[at].strip().startswith(("#", "//")) else "\n")
    return "".join(lines)


def measure(oguard, parse, source, runs):
    with tempfile.TemporaryDirectory(prefix="bench-cold-") as root:
        git = lambda *args: subprocess.run(["git", "-C", root, *args], check=True, env=ENV, capture_output=True)
        git("init", "-q", "-b", "main")
        name = source.name
        text = source.read_text()
        target = pathlib.Path(root, name)
        target.write_text(text)
        git("add", "-A")
        git("commit", "-q", "-m", "base")
        target.write_text(edited(text))
        base = pathlib.Path(tempfile.mkdtemp(prefix="bench-base-"), name)
        base.write_text(text)
        columns = {"true": [], "blob": [], "parses": [], "check": []}
        for _ in range(runs + 1):
            columns["true"].append(timed(["true"], root)[0])
            columns["blob"].append(timed(["git", "cat-file", "blob", f"HEAD:{name}"], root)[0])
            run = timed([parse, str(base), str(target)], root)[1]
            columns["parses"].append(sum(float(line) for line in run.stdout.split()))
            took, run = timed([oguard, "check", "--format", "json"], root)
            if run.returncode not in (0, 1):
                raise SystemExit(f"oguard check failed: {run.stderr.decode()}")
            columns["check"].append(took)
        medians = {key: statistics.median(values[1:]) for key, values in columns.items()}
    small = medians["true"] + medians["blob"]
    print(f"{name:20} {len(text.splitlines()):6} lines  true {medians['true']:.1f} + blob {medians['blob']:.1f} + two parses {medians['parses']:.1f} ms, "
          f"check {medians['check']:.1f} ms: {medians['check'] / small:.2f} x (true + blob), "
          f"{medians['check'] / (small + medians['parses']):.2f} x (true + blob + two parses)")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--oguard", default=str(ROOT / "target/release/oguard"))
    p.add_argument("--parse", default=str(ROOT / "target/release/examples/parse"))
    p.add_argument("--runs", type=int, default=21)
    p.add_argument("files", nargs="+", type=pathlib.Path)
    a = p.parse_args()
    for source in a.files:
        measure(a.oguard, a.parse, source.resolve(), a.runs)


if __name__ == "__main__":
    main()
