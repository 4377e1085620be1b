// node drive.mjs ADDRESS PROJECT OUT GUARD TOOLS CHROMIUM   (run by run.sh with a fresh profile)
//
// One session as a person has it in the workbench: open, type, look, fix, save. Waits for states, never for a time, and ends
// with code 1 at the first thing that is not so.

import { execFileSync } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import * as path from "node:path";

const [address, project, out, guard, tools, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(tools)("playwright-core");

const STEP_MS_MAX = 60_000;
// The menu can open before the server has answered, and the status bar moves under the pointer while other items come: both are
// asked again.
const TRY_MS_MAX = 4_000;
const TRIES_MAX = 8;

const profile = mkdtempSync(path.join(tmpdir(), "chromium-"));
const log = createWriteStream(path.join(out, "page.log"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  viewport: { width: 1280, height: 800 },
  // As root and in containers Chromium has no sandbox; the one page is ours. No name is looked up.
  args: [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  ],
});
const page = context.pages()[0] ?? (await context.newPage());
page.setDefaultTimeout(STEP_MS_MAX);
page.on("console", (message) => log.write(`${message.type()}: ${message.text()}\n`));
page.on("pageerror", (error) => log.write(`${error.stack}\n`));

const shot = (name) => page.screenshot({ path: path.join(out, `${name}.png`) });
const editor = page.locator(".editor-instance .monaco-editor").first();
const squiggles = editor.locator(".squiggly-error");
const explorer = (name) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });
const problems = page.locator(".markers-panel .monaco-list-row");
const dirty = page.locator(".tab.active.dirty");
const item = page.locator(".statusbar-item[id$='oguard.status']");
const read = (name) => readFileSync(path.join(project, name), "utf8");

let from = Date.now();
async function step(what, work) {
  try {
    const result = await work();
    console.log(`ok   ${what} (${Date.now() - from} ms)`);
    from = Date.now();
    return result;
  } catch (error) {
    throw new Error(`${what}: ${error.message}`, { cause: error });
  }
}

/** Waits until something that is read has the value that is meant, and says what it was where it never has. */
async function settles(read, meant) {
  const matches = (value) => (meant instanceof RegExp ? meant.test(value) : value === meant);
  const end = Date.now() + STEP_MS_MAX;
  let last;
  do {
    last = await read();
    if (matches(last)) return last;
    // A frame of the page: what is read is drawn in one.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  } while (Date.now() < end);
  throw new Error(`expected ${meant}, and it stayed ${JSON.stringify(last)}`);
}

const spaces = (text) => text.replace(/\s+/g, " ").trim();
const label = async () => spaces((await item.textContent().catch(() => null)) ?? "");
const statusIs = (meant) => settles(label, meant);

async function tries(work) {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried === TRIES_MAX) throw error;
    }
  }
}

/** What the status bar item tells who points at it. */
async function tooltip(picture) {
  const hover = page.locator(".workbench-hover", { hasText: "Objective Guard" });
  const text = await tries(async () => {
    await page.mouse.move(640, 300);
    await item.hover();
    await hover.waitFor({ timeout: TRY_MS_MAX });
    if (picture !== undefined) await shot(picture);
    return hover.innerText({ timeout: TRY_MS_MAX });
  });
  await page.mouse.move(640, 300);
  await hover.waitFor({ state: "hidden" });
  return text;
}

async function goTo(line) {
  await page.keyboard.press("Control+g");
  await page.locator(".quick-input-widget input").fill(`:${line}`);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

async function quickFix(title, picture) {
  const menu = page.locator(".action-widget").first();
  const row = menu.locator(".monaco-list-row", { hasText: title });
  await tries(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+.");
    await row.waitFor({ timeout: TRY_MS_MAX });
  });
  await shot(picture);
  await row.click();
  await menu.waitFor({ state: "hidden" });
}

async function save() {
  await page.keyboard.press("Control+s");
  await dirty.waitFor({ state: "hidden" });
}

/** The text of the line that a squiggle is under. */
async function underlined() {
  const at = await squiggles.first().boundingBox();
  for (const line of await editor.locator(".view-line").all()) {
    const box = await line.boundingBox();
    if (box !== null && at !== null && at.y >= box.y && at.y < box.y + box.height) return spaces(await line.innerText());
  }
  return "no line";
}

let failure;
try {
  const before = read("test_cart.py");
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: project, encoding: "utf8" }).trim();
  const line = before.split("\n").indexOf("def test_total():") + 1;

  await step("the workbench is there", async () => {
    await page.goto(`${address}/?folder=${encodeURIComponent(project)}`);
    await page.locator(".monaco-workbench").waitFor();
    await explorer("test_cart.py").dblclick();
    await editor.locator(".view-line", { hasText: "def test_total" }).waitFor();
  });
  await step("an untouched file is a pass", () => statusIs("Guard: pass"));
  await step("the tooltip names the base", async () => {
    const text = await tooltip();
    if (!text.includes(commit.slice(0, 12))) throw new Error(`no ${commit} in: ${text}`);
  });

  for (const [fix, picture] of [["Remove the skip", "1-remove"], ["Restore this from the base", "2-restore"]]) {
    await step("a test is disabled by typing, and the marker is underlined", async () => {
      await editor.locator(".view-line", { hasText: "def test_total" }).click();
      await goTo(line);
      await page.keyboard.type("@pytest.mark.skip");
      await page.keyboard.press("Enter");
      await dirty.waitFor();
      await squiggles.first().waitFor({ state: "attached" });
      await settles(underlined, "@pytest.mark.skip");
    });
    await step("the status bar says that it blocks", async () => {
      await statusIs("Guard: block · 1 blocking");
      if (read("test_cart.py") !== before) throw new Error("the file was saved, and the text in the editor was to count");
    });
    await step("Problems has the finding", async () => {
      await page.keyboard.press("Control+Shift+m");
      const row = problems.filter({ hasText: "`pytest.mark.skip` disables `test_total`" });
      await row.waitFor();
      const text = spaces(await row.innerText());
      if (!text.includes("oguard") || !text.includes("test-disabled")) throw new Error(`no source or rule in: ${text}`);
    });
    await shot(`${picture}-squiggle`);

    await step(`the quick fix is applied: ${fix}`, async () => {
      await editor.locator(".view-line", { hasText: "@pytest.mark.skip" }).click();
      await quickFix(fix, `${picture}-menu`);
    });
    await step("the squiggle is gone", () => settles(() => squiggles.count(), 0));
    await step("Problems is empty", () => settles(() => problems.count(), 0));
    await step("the status bar says pass again", () => statusIs("Guard: pass"));
    await step("the text is as it was, to the byte", async () => {
      await save();
      if (read("test_cart.py") !== before) throw new Error(read("test_cart.py"));
    });
    await shot(`${picture}-fixed`);
  }

  await step("what is not evaluated stands beside the pass", async () => {
    await explorer("old").click();
    await explorer("test_prices.py").dblclick();
    await statusIs("Guard: pass · 1 not evaluated");
    const text = await tooltip("3-not-evaluated");
    if (!/Not evaluated:\s+old\/test_prices\.py: /.test(text)) throw new Error(text);
  });
  const settings = read("oguard.toml");
  await step("settings that cannot be read are an error, and no pass", async () => {
    writeFileSync(path.join(project, "oguard.toml"), "[rules\n");
    await statusIs(/^Guard: error · \d could not be judged$/);
    const text = await tooltip("4-error");
    if (!/Could not be judged:\s+.*oguard\.toml/.test(text)) throw new Error(text);
  });
  await step("settings that are mended are no error any more", async () => {
    writeFileSync(path.join(project, "oguard.toml"), settings);
    await statusIs("Guard: pass · 1 not evaluated");
  });
  const program = readFileSync(guard);
  await step("a server that cannot start is an error, and no pass", async () => {
    writeFileSync(guard, "#!/bin/sh\nexit 1\n");
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input").fill(">Objective Guard: Restart Server");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Objective Guard: Restart Server" }).click();
    await statusIs("Guard: not running");
    await shot("5-not-running");
  });
  await step("a click starts it where it can", async () => {
    writeFileSync(guard, program);
    await item.click();
    await statusIs("Guard: pass · 1 not evaluated");
  });
} catch (error) {
  failure = error;
  await shot("failed").catch(() => {});
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
if (failure !== undefined) {
  console.error(`FAIL ${failure.message}`);
  process.exit(1);
}
