// Starts and stops the language server, and shows its status. Everything else is the server's, so that every editor says the same.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";
import { findServer } from "./server";
import { show, type State as Status } from "./status";

const LANGUAGES = ["python", "javascript", "javascriptreact", "typescript", "typescriptreact", "rust", "go", "java"];

let client: LanguageClient | undefined;
/** Starts and stops run one after the other, whoever asked for them. */
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Objective Guard", { log: true });
  const item = vscode.window.createStatusBarItem("oguard.status", vscode.StatusBarAlignment.Left);
  item.name = "Objective Guard";
  const say = (status: Status) => present(item, status);
  const restart = () => inTurn(() => restartServer(context, output, say));
  say({ is: "starting" });
  item.show();
  context.subscriptions.push(
    output,
    item,
    vscode.commands.registerCommand("oguard.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      // The server hears of its own settings by itself. A restart forgets which commit the session began with, so it
      // happens only where another program, or another way of talking, is asked for.
      if (event.affectsConfiguration("oguard.path") || event.affectsConfiguration("oguard.diagnostics")) {
        await restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await inTurn(stopServer);
}

function inTurn(work: () => Promise<void>): Promise<void> {
  turn = turn.then(work, work);
  return turn;
}

async function restartServer(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  say: (status: Status) => void,
): Promise<void> {
  await stopServer();
  const settings = vscode.workspace.getConfiguration("oguard");
  const found = findServer({
    setting: settings.get<string>("path", ""),
    extension: context.extensionPath,
    path: process.env["PATH"] ?? "",
    platform: process.platform,
  });
  if ("problem" in found) {
    output.error(found.problem);
    say({ is: "down", why: found.problem });
    void offerSettings(found.problem);
    return;
  }
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    initializationOptions: {
      severity: settings.get<object>("severity", {}),
      diagnostics: settings.get<string>("diagnostics", "push"),
      status: true,
    },
    synchronize: { configurationSection: "oguard" },
    outputChannel: output,
  };
  const starting = new LanguageClient("oguard", "Objective Guard", { command: found.program, args: ["lsp"] }, options);
  // What an earlier server said of the documents is worth nothing once it is gone, also where the client starts another by itself.
  starting.onDidChangeState(({ newState }) => say(lives(newState)));
  starting.onNotification("oguard/status", (params: unknown) => say({ is: "told", params }));
  try {
    await starting.start();
    client = starting;
    output.info(`${found.program} runs`);
  } catch (error) {
    output.error(`${found.program} does not start: ${String(error)}`);
    void offerSettings(`${found.program} does not start. The output channel says why.`);
  }
}

function lives(state: State): Status {
  switch (state) {
    case State.Starting:
      return { is: "starting" };
    case State.Running:
      return { is: "running" };
    case State.Stopped:
      return { is: "down", why: "The server has stopped. The output channel says why." };
  }
}

function present(item: vscode.StatusBarItem, status: Status): void {
  const shown = show(status);
  item.text = shown.text;
  item.tooltip = shown.tooltip;
  item.backgroundColor =
    shown.background === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${shown.background}Background`);
  item.command = shown.click === "restart" ? "oguard.restart" : "workbench.actions.view.problems";
}

async function stopServer(): Promise<void> {
  const stopping = client;
  client = undefined;
  await stopping?.dispose();
}

async function offerSettings(problem: string): Promise<void> {
  const open = "Open Settings";
  if ((await vscode.window.showErrorMessage(`Objective Guard: ${problem}`, open)) === open) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "oguard.path");
  }
}
