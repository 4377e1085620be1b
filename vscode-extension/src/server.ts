// Which program is run: the setting, else the one that came with the extension, else the one on the PATH.
// Knows nothing of VS Code, so that it can be tested without one.

import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

/** Where to look. */
export interface Places {
  /** The setting `oguard.path`; empty where it is not set. */
  setting: string;
  /** The extension's own folder. */
  extension: string;
  /** The environment's PATH. */
  path: string;
  /** `process.platform`. */
  platform: NodeJS.Platform;
}

/** The program, or why there is none, in words for a person. */
export type Found = { program: string } | { problem: string };

/** Finds the server. A setting that is wrong is said, and nothing else is tried: it was meant. */
export function findServer(places: Places): Found {
  if (places.setting !== "") {
    const program = places.setting.replace(/^~(?=[/\\])/, homedir());
    return isProgram(program)
      ? { program }
      : { problem: `The setting oguard.path names ${program}, which is not a program.` };
  }
  const name = places.platform === "win32" ? "oguard.exe" : "oguard";
  const bundled = path.join(places.extension, "bin", name);
  // A relative entry of the PATH would let the opened folder choose what is run.
  const folders = places.path.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const program = [bundled, ...folders.map((folder) => path.join(folder, name))].find(isProgram);
  return program !== undefined
    ? { program }
    : { problem: `${name} is neither on the PATH nor part of the extension. Install it, or set oguard.path.` };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return path.isAbsolute(file) && statSync(file).isFile();
  } catch {
    return false;
  }
}
