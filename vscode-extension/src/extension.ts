// Starts and stops the language server. Everything else is the server's, so that every editor says the same.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { findServer } from "./server";

const LANGUAGES = ["python", "javascript", "javascriptreact", "typescript", "typescriptreact", "rust", "go", "java"];

let client: LanguageClient | undefined;
/** Starts and stops run one after the other, whoever asked for them. */
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Objective Guard", { log: true });
  const restart = () => inTurn(() => restartServer(context, output));
  context.subscriptions.push(
    output,
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

async function restartServer(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Promise<void> {
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
    },
    synchronize: { configurationSection: "oguard" },
    outputChannel: output,
  };
  const starting = new LanguageClient("oguard", "Objective Guard", { command: found.program, args: ["lsp"] }, options);
  try {
    await starting.start();
    client = starting;
    output.info(`${found.program} runs`);
  } catch (error) {
    output.error(`${found.program} does not start: ${String(error)}`);
    void offerSettings(`${found.program} does not start. The output channel says why.`);
  }
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
