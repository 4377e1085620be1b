// What the status bar shows, and that nothing but a pass looks like one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { show, type State } from "../status";

const ZERO = { block: 0, warn: 0, info: 0, error: 0, not_evaluated: 0 };
const BASELINES = [{ uri: "file:///w/my%20shop", baseline: "0123456789abcdef0123456789abcdef01234567" }];

function told(verdict: string, counts: Partial<typeof ZERO> = {}, more: object = {}) {
  const params = { verdict, round: null, counts: { ...ZERO, ...counts }, baselines: BASELINES, failures: [], not_evaluated: [], ...more };
  return show({ is: "told", params });
}

test("a pass says so, and what it was compared with", () => {
  const shown = told("pass");
  assert.equal(shown.text, "$(pass) Guard: pass");
  assert.equal(shown.background, "none");
  assert.match(shown.tooltip, /^Objective Guard: pass\n\nCompared with:\ncommit 0123456789ab: \/w\/my shop\n/);
});

test("verdict and counts are shown, the worst first", () => {
  const shown = told("block", { block: 1, warn: 2, info: 3 });
  assert.equal(shown.text, "$(error) Guard: block · 1 blocking, 2 warnings, 3 info");
  assert.equal(shown.background, "error");
  assert.equal(told("warn", { warn: 1 }).text, "$(warning) Guard: warn · 1 warning");
});

test("an error names what could not be judged", () => {
  const shown = told("error", { error: 1 }, { failures: [{ uri: "file:///w/my%20shop/test_a.py", why: "git is gone" }] });
  assert.equal(shown.text, "$(bug) Guard: error · 1 could not be judged");
  assert.equal(shown.background, "error");
  assert.match(shown.tooltip, /\n\nCould not be judged:\ntest_a.py: git is gone\n/);
});

test("a pass of which a part is missing is no plain pass", () => {
  const shown = told("pass", { not_evaluated: 3 }, {
    not_evaluated: [
      { uri: "file:///w/my%20shop/old/t%C3%A9st.py", why: "excluded" },
      { uri: "untitled:Untitled-1", why: "of no known language" },
    ],
  });
  assert.equal(shown.text, "$(info) Guard: pass · 3 not evaluated");
  assert.match(shown.tooltip, /\n\nNot evaluated:\nold\/tést.py: excluded\nuntitled:Untitled-1: of no known language\nand 1 more\n/);
});

test("only a pass looks like a pass", () => {
  const pass = told("pass").text;
  const icon = (text: string) => /^\$\([^)]*\)/.exec(text)?.[0];
  const others: State[] = [
    { is: "starting" },
    { is: "running" },
    { is: "down", why: "no program" },
    ...["warn", "block", "error", "unknown", "Pass", "constructor", "toString", ""].map((verdict): State => ({
      is: "told",
      params: { verdict, counts: ZERO },
    })),
    ...[undefined, null, "pass", [], {}, { verdict: "pass" }, { verdict: "pass", counts: {} }].map((params): State => ({ is: "told", params })),
    { is: "told", params: { verdict: "pass", counts: ZERO, not_evaluated: 3 } },
    { is: "told", params: { verdict: 0, counts: ZERO } },
  ];
  for (const state of others) {
    const { text } = show(state);
    assert.notEqual(icon(text), icon(pass), JSON.stringify(state));
    assert.ok(icon(text) !== undefined && !/\bpass\b/i.test(text), `${JSON.stringify(state)} is shown as ${text}`);
  }
});

test("a verdict of a newer server is unknown, and its word is told", () => {
  const shown = told("doubtful", { block: 1 });
  assert.equal(shown.text, "$(question) Guard: unknown · 1 blocking");
  assert.equal(shown.background, "warning");
  assert.match(shown.tooltip, /"doubtful"/);
});

test("a server that is not there is an error that a click mends", () => {
  const shown = show({ is: "down", why: "oguard is not on the PATH." });
  assert.equal(shown.background, "error");
  assert.equal(shown.click, "restart");
  assert.match(shown.tooltip, /oguard is not on the PATH\./);
  assert.equal(told("block", { block: 1 }).click, "problems");
});

test("what is compared with is said in words where it is no commit", () => {
  const shown = told("pass", {}, {
    baselines: [
      { uri: "file:///a", baseline: "empty" },
      { uri: "file:///b", baseline: "first-sight" },
      { uri: "file:///c%", baseline: "" },
    ],
  });
  assert.match(shown.tooltip, /nothing, as there is no commit: \/a\nthe text as it was first seen: \/b\nnot known yet: file:\/\/\/c%\n/);
});
