#!/usr/bin/env python3
"""Works a language server for minutes as an editor would: edits, saves, checkouts, commits, renames, restarts.

    scripts/soak.py REPOSITORY [--minutes 30] [--server target/release/oguard] [--seed N]

Works in a clone, so REPOSITORY is only read. Every open and change must be answered for its newest version, memory must stay
flat once the last server is warm, and at the end what it published must equal what a fresh server says of the same texts.
Prints a line every few seconds; ends with 0 only if all of that held.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

OPEN_MAX = 60
ANSWER_SECONDS_MAX = 60
# Restarts end here, so that one server is seen long enough for its memory to say something.
RESTARTS_UNTIL = 0.3
RSS_GROWTH_MAX = 1.15
RSS_SLACK_KB = 8 * 1024

LINES = {
    ".py": ["@pytest.mark.skip", "x = 1  # type: ignore", "# ... rest of the code ...", "def test_more():", "    assert 1 + 1 == 2", "    pass", "(", "'''"],
    ".rs": ["#[ignore]", "#[allow(dead_code)]", "fn more() { todo!() }", "// ... existing code ...", "}", "{"],
    ".go": ["\tt.Skip()", "//nolint", "func more() { panic(\"not implemented\") }", "}", "{"],
    ".ts": ["it.only('x', () => {});", "// @ts-ignore", "// ... rest of the code", "it.skip('y', () => {});", "}", "({"],
    ".js": ["it.only('x', () => {});", "// eslint-disable-next-line", "// ... rest of the code", "}", "({"],
}


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


class Server:
    """A server process and what it said."""

    def __init__(self, program, root):
        self.process = subprocess.Popen([program, "lsp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.published = {}
        self.publications = 0
        self.answers = {}
        self.answered = queue.Queue()
        self.changed = threading.Condition()
        self.requests = 0
        self.texts = collections.Counter()
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {"general": {"positionEncodings": ["utf-16"]}, "window": {"workDoneProgress": True}}
        self.call("initialize", {"processId": os.getpid(), "rootUri": uri_of(root), "capabilities": capabilities,
                                 "initializationOptions": {"status": True, "delta": True}})
        self.notify("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    return
                line = line.strip()
                if not line:
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(out.read(length))
            with self.changed:
                method = message.get("method")
                if method == "textDocument/publishDiagnostics":
                    params = message["params"]
                    self.published[params["uri"]] = (params.get("version"), params["diagnostics"])
                    self.publications += 1
                elif method is not None and "id" in message:
                    self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                elif method in ("window/showMessage", "window/logMessage"):
                    self.texts[message["params"]["message"].split(";")[0][:60]] += 1
                elif method is None:
                    self.answers[message["id"]] = message
                self.changed.notify_all()

    def _send(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params):
        self.requests += 1
        self._send({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
        return self.requests

    def call(self, method, params):
        number = self.request(method, params)
        self.wait(lambda: number in self.answers, f"no answer to {method}")
        answer = self.answers.pop(number)
        return answer.get("result")

    def wait(self, done, what):
        end = time.monotonic() + ANSWER_SECONDS_MAX
        with self.changed:
            while not done():
                left = end - time.monotonic()
                if left <= 0 or self.process.poll() is not None:
                    raise SystemExit(f"soak: {what}; the server {'ended' if self.process.poll() is not None else 'is silent'}")
                self.changed.wait(min(left, 1))

    def rss_kb(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0

    def end(self, kindly):
        if kindly:
            self.call("shutdown", None)
            self.notify("exit", None)
        else:
            self.process.kill()
        self.process.wait(ANSWER_SECONDS_MAX)


class Soak:
    """The editor: what is open, and what is done next."""

    def __init__(self, program, root, seed):
        self.program, self.root, self.random = program, root, random.Random(seed)
        self.began_with = None
        self.branches()
        self.commits = self.git("log", "--format=%H", "-n", "40", "--all").split()
        self.open = {}
        self.versions = 0
        self.renames = 0
        self.counts = collections.Counter()
        self.begin()

    def git(self, *args):
        command = ["git", "-C", str(self.root), "-c", "user.name=soak", "-c", "user.email=soak@example.org", "-c", "advice.detachedHead=false"]
        run = subprocess.run(command + list(args), capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"soak: git {' '.join(args)} ended with {run.returncode}: {run.stderr.strip()}")
        return run.stdout

    def branches(self):
        """Commits to go back and forth between, on two branches, also where the history is short."""
        head = self.git("rev-parse", "HEAD").strip()
        files = [f for f in self.git("ls-files").splitlines() if pathlib.Path(f).suffix in LINES]
        for name in ["soak-a", "soak-b"]:
            self.git("checkout", "-q", "-b", name, head)
            for _ in range(5):
                for path in self.random.sample(files, min(30, len(files))):
                    text = self.read(path)
                    if text is not None:
                        lines = text.split("\n")
                        lines.insert(self.random.randrange(len(lines)), self.random.choice(LINES[pathlib.Path(path).suffix]))
                        (self.root / path).write_bytes("\n".join(lines).encode())
                self.git("commit", "-qam", name, "--no-verify", "--allow-empty")

    def begin(self):
        self.server = Server(self.program, self.root)
        self.began_with = self.git("rev-parse", "HEAD").strip()
        self.files = [f for f in self.git("ls-files").splitlines() if pathlib.Path(f).suffix in LINES]
        for path, (text, _) in list(self.open.items()):
            self.send_open(path, text)

    def send_open(self, path, text):
        self.versions += 1
        self.open[path] = (text, self.versions)
        document = {"uri": uri_of(self.root / path), "languageId": "", "version": self.versions, "text": text}
        self.server.notify("textDocument/didOpen", {"textDocument": document})

    def send_change(self, path, text, changes):
        self.versions += 1
        self.open[path] = (text, self.versions)
        document = {"uri": uri_of(self.root / path), "version": self.versions}
        self.server.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def send_close(self, path):
        del self.open[path]
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(self.root / path)}})

    def read(self, path):
        try:
            return (self.root / path).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def step(self, restarts):
        kinds = ["open"] * 6 + ["close"] * 3 + ["edit"] * 60 + ["type"] * 6 + ["whole"] * 4 + ["save"] * 12 + ["pull"] * 3
        kinds += ["look"] * 2 + ["rename", "commit", "checkout", "report", "settings"] + ["restart"] * restarts
        kind = self.random.choice(kinds)
        self.counts[kind] += 1
        getattr(self, "do_" + kind)()

    def pick(self):
        return self.random.choice(list(self.open)) if self.open else None

    def do_open(self):
        path = self.random.choice(self.files)
        text = self.read(path)
        if text is None or path in self.open or len(text) > 400_000:
            return
        if len(self.open) >= OPEN_MAX:
            self.send_close(self.pick())
        self.send_open(path, text)

    def do_close(self):
        if len(self.open) > 5:
            self.send_close(self.pick())

    def do_edit(self):
        path = self.pick()
        if path is None:
            return
        text, _ = self.open[path]
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        to = at
        if len(lines) > 3 and self.random.random() < 0.5:
            to = min(at + self.random.randrange(1, 4), len(lines) - 1)
        new = "" if self.random.random() < 0.3 else self.random.choice(LINES[pathlib.Path(path).suffix]) + "\n"
        after = "\n".join(lines[:at] + [new + "\n".join(lines[to:])])
        # A lone carriage return is a line end to the protocol and none to us: such texts are sent whole.
        if "\r" in text.replace("\r\n", ""):
            return self.send_change(path, after, [{"text": after}])
        change = {"range": {"start": {"line": at, "character": 0}, "end": {"line": to, "character": 0}}, "text": new}
        self.send_change(path, after, [change])

    def do_type(self):
        path = self.pick()
        if path is None:
            return
        text, _ = self.open[path]
        if "\r" in text.replace("\r\n", ""):
            return
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        typed = ""
        for letter in self.random.choice(LINES[pathlib.Path(path).suffix]) + "\n":
            place = {"line": at, "character": len(typed)}
            typed += letter
            after = "\n".join(lines[:at] + [typed + "\n".join(lines[at:])])
            self.send_change(path, after, [{"range": {"start": place, "end": place}, "text": letter}])

    def do_whole(self):
        path = self.pick()
        if path is not None:
            text = self.read(path)
            if text is not None:
                self.send_change(path, text, [{"text": text}])

    def do_save(self):
        path = self.pick()
        if path is not None:
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.open[path][0].encode("utf-8", "surrogatepass"))
            self.server.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(target)}})

    def do_pull(self):
        path = self.pick()
        if path is not None:
            self.server.call("textDocument/diagnostic", {"textDocument": {"uri": uri_of(self.root / path)}})

    def do_report(self):
        self.server.call("oguard/report", {})

    def do_look(self):
        self.server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(self.root), "type": 2}]})

    def do_settings(self):
        settings = self.root / "oguard.toml"
        if settings.exists():
            settings.unlink()
        else:
            settings.write_text("[rules]\ncheck-suppressed = \"off\"\n")
        self.do_look()

    def do_rename(self):
        path = self.pick()
        if path is None or not (self.root / path).is_file():
            return
        self.renames += 1
        new = str(pathlib.Path(path).with_name(f"renamed_{self.renames}{pathlib.Path(path).suffix}"))
        text, _ = self.open[path]
        os.rename(self.root / path, self.root / new)
        self.server.notify("workspace/didRenameFiles", {"files": [{"oldUri": uri_of(self.root / path), "newUri": uri_of(self.root / new)}]})
        self.send_close(path)
        self.send_open(new, text)

    def do_commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "soak")
        self.do_look()

    def do_checkout(self):
        self.checkout(self.random.choice(self.commits))

    def checkout(self, commit):
        """As editors do: what is gone is closed, the rest is read again."""
        self.git("checkout", "-q", "-f", "--detach", commit)
        self.git("clean", "-fdq")
        for path in list(self.open):
            text = self.read(path)
            if text is None:
                self.send_close(path)
            elif text != self.open[path][0]:
                self.send_change(path, text, [{"text": text}])
        self.do_look()

    def do_restart(self):
        self.server.end(kindly=self.random.random() < 0.5)
        self.begin()

    def settle(self):
        """Waits until every open document was published in its newest version."""
        want = {uri_of(self.root / path): version for path, (_, version) in self.open.items()}
        published = self.server.published
        self.server.wait(lambda: all(published.get(uri, (None,))[0] == version for uri, version in want.items()), "an open or change was not answered")

    def state(self):
        """What is said of each open document, once everything has been said."""
        self.settle()
        shown = {}
        for path in sorted(self.open):
            pulled = self.server.call("textDocument/diagnostic", {"textDocument": {"uri": uri_of(self.root / path)}})
            shown[path] = pulled["items"]
        # What is pulled is the newest that is known, and what is published must come to be the same.
        published = self.server.published
        self.server.wait(lambda: all(published[uri_of(self.root / path)][1] == items for path, items in shown.items()), "published and pulled differ")
        return shown


def same_as_fresh(soak):
    """Compares what the old server says with what a new one says of the same texts and the same base."""
    soak.checkout(soak.began_with)
    for _ in range(200):
        soak.do_edit()
    old = soak.state()
    server, soak.server = soak.server, None
    texts = {path: text for path, (text, _) in soak.open.items()}
    soak.server = Server(soak.program, soak.root)
    soak.open = {}
    for path, text in texts.items():
        soak.send_open(path, text)
    fresh = soak.state()
    soak.server.end(kindly=True)
    soak.server = server
    different = [path for path in old if old[path] != fresh.get(path)]
    for path in different[:5]:
        print(f"soak: {path} differs:\n  old   {json.dumps(old[path])[:600]}\n  fresh {json.dumps(fresh.get(path))[:600]}")
    return len(old), sum(len(items) for items in old.values()), different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--server", default="target/release/oguard")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    program = shutil.which(os.path.abspath(args.server)) or sys.exit(f"soak: no program {args.server}; `cargo build --release` makes it")
    with tempfile.TemporaryDirectory(prefix="oguard-soak-") as folder:
        root = pathlib.Path(folder).resolve() / "clone"
        subprocess.run(["git", "clone", "-q", "--shared", os.path.abspath(args.repository), str(root)], check=True)
        soak = Soak(program, root, args.seed)
        print(f"soak: {len(soak.files)} files, {args.minutes} minutes, seed {args.seed}", flush=True)
        start, length = time.monotonic(), args.minutes * 60
        told, samples, steps = 0, [], 0
        while (now := time.monotonic() - start) < length:
            soak.step(restarts=now < length * RESTARTS_UNTIL)
            steps += 1
            if steps % 100 == 0:
                soak.settle()
                samples.append((now, soak.server.process.pid, soak.server.rss_kb()))
            if now - told >= 10:
                told = now
                print(f"{now:6.0f} s  {steps} steps  {len(soak.open)} open  {soak.server.publications} published  {soak.server.rss_kb()} kB", flush=True)
        last = [(at, kb) for at, pid, kb in samples if pid == soak.server.process.pid]
        documents, findings, different = same_as_fresh(soak)
        soak.server.end(kindly=True)
        warm = [kb for at, kb in last if at >= last[0][0] + 0.2 * (length - last[0][0])]
        half = max(1, len(warm) // 3)
        early, late = statistics.median(warm[:half]), statistics.median(warm[-half:])
        flat = late <= early * RSS_GROWTH_MAX + RSS_SLACK_KB
        print(f"soak: steps {dict(soak.counts)}")
        print(f"soak: said {dict(soak.server.texts)}")
        print(f"soak: memory {early} kB early, {late} kB late, {max(warm)} kB at most: {'flat' if flat else 'GROWS'}")
        print(f"soak: {documents} documents with {findings} findings at the end, {len(different)} differ from a fresh server's")
        sys.exit(0 if flat and not different and documents else 1)


if __name__ == "__main__":
    main()
