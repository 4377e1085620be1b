// Where the server is looked for, on real folders.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { findServer, type Places } from "../server";

const NAME = process.platform === "win32" ? "oguard.exe" : "oguard";
let folder: string;
let places: Places;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "oguard-"));
  places = { setting: "", extension: path.join(folder, "extension"), path: "", platform: process.platform };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(...names: string[]): string {
  const file = path.join(folder, ...names);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

test("the setting wins over all others", () => {
  const set = program("mine", "guard");
  program("extension", "bin", NAME);
  assert.deepEqual(findServer({ ...places, setting: set }), { program: set });
});

test("a wrong setting is said, and nothing else is tried", () => {
  program("extension", "bin", NAME);
  const found = findServer({ ...places, setting: path.join(folder, "nowhere") });
  assert.ok("problem" in found && found.problem.includes("oguard.path"));
});

test("a folder is not a program", () => {
  assert.ok("problem" in findServer({ ...places, setting: folder }));
});

test("the bundled program wins over the PATH", () => {
  const bundled = program("extension", "bin", NAME);
  program("tools", NAME);
  assert.deepEqual(findServer({ ...places, path: path.join(folder, "tools") }), { program: bundled });
});

test("the first folder of the PATH that has it wins", () => {
  const first = program("first", NAME);
  program("second", NAME);
  const entries = ["empty", "first", "second"].map((name) => path.join(folder, name));
  assert.deepEqual(findServer({ ...places, path: entries.join(path.delimiter) }), { program: first });
});

test("a relative entry of the PATH is passed over", () => {
  program("tools", NAME);
  const relative = path.relative(process.cwd(), path.join(folder, "tools"));
  assert.ok("problem" in findServer({ ...places, path: relative }));
});

test("a file that cannot be run is passed over", { skip: process.platform === "win32" && "every file can be run there" }, () => {
  chmodSync(program("tools", NAME), 0o644);
  assert.ok("problem" in findServer({ ...places, path: path.join(folder, "tools") }));
});
