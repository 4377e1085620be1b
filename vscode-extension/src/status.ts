// What the status bar shows of `oguard/status`. Only a pass looks like a pass: a server that is not there, has said nothing
// yet, or says something this file does not know, never does. Knows nothing of VS Code, so that it can be tested without one.

/** Where the server is in its life. */
export type State =
  | { is: "starting" }
  | { is: "down"; why: string }
  | { is: "running" }
  | { is: "told"; params: unknown };

/** How the item looks. Icons are in the text as VS Code writes them. */
export interface Shown {
  text: string;
  /** Plain text: paths come from the repository, and must not become markup. */
  tooltip: string;
  background: "none" | "warning" | "error";
  /** What a click is for. */
  click: "problems" | "restart";
}

interface Named {
  uri: string;
  why: string;
}

interface Status {
  verdict: string;
  counts: { block: number; warn: number; info: number; error: number; not_evaluated: number };
  baselines: { uri: string; baseline: string }[];
  failures: Named[];
  not_evaluated: Named[];
}

const LOOKS: Record<string, Pick<Shown, "background"> & { icon: string }> = {
  pass: { icon: "$(pass)", background: "none" },
  warn: { icon: "$(warning)", background: "none" },
  block: { icon: "$(error)", background: "error" },
  error: { icon: "$(bug)", background: "error" },
  unknown: { icon: "$(question)", background: "warning" },
};

/** Characters of a commit that are shown. */
const COMMIT_CHARS = 12;

export function show(state: State): Shown {
  switch (state.is) {
    case "starting":
      return plain("$(loading~spin) Guard: starting", "The server is starting.", "none");
    case "running":
      return plain("$(circle-outline) Guard: nothing judged", "The server runs, and has not judged anything yet.", "none");
    case "down":
      return { ...plain("$(circle-slash) Guard: not running", `${state.why}\nClick to start the server.`, "error"), click: "restart" };
    case "told": {
      const status = read(state.params);
      return status === undefined
        ? plain("$(question) Guard: unknown", "The server's status is not understood; it may be of another version.", "warning")
        : told(status);
    }
  }
}

function plain(text: string, tooltip: string, background: Shown["background"]): Shown {
  return { text, tooltip: `Objective Guard\n${tooltip}`, background, click: "problems" };
}

function told(status: Status): Shown {
  const verdict = Object.hasOwn(LOOKS, status.verdict) ? status.verdict : "unknown";
  const look = LOOKS[verdict]!;
  const { block, warn, info, error, not_evaluated } = status.counts;
  const counts = [
    count(error, "could not be judged"),
    count(block, "blocking"),
    count(warn, warn === 1 ? "warning" : "warnings"),
    count(info, "info"),
    count(not_evaluated, "not evaluated"),
  ].filter((part) => part !== "");
  // A pass of which a part is missing is no plain pass.
  const icon = verdict === "pass" && not_evaluated > 0 ? "$(info)" : look.icon;
  const sections = [
    `Objective Guard: ${[verdict, ...counts].join(", ")}`,
    verdict === status.verdict ? "" : `The server said "${status.verdict}", which this extension does not know.`,
    section("Compared with", status.baselines.map(({ uri, baseline }) => `${base(baseline)}: ${words(uri)}`), 0),
    section("Could not be judged", named(status.failures, status), error - status.failures.length),
    section("Not evaluated", named(status.not_evaluated, status), not_evaluated - status.not_evaluated.length),
    "Open documents only; oguard check judges the whole change.",
  ];
  return {
    text: `${icon} Guard: ${verdict}${counts.length > 0 ? ` · ${counts.join(", ")}` : ""}`,
    tooltip: sections.filter((part) => part !== "").join("\n\n"),
    background: look.background,
    click: "problems",
  };
}

function count(number: number, what: string): string {
  return number > 0 ? `${number} ${what}` : "";
}

function section(title: string, lines: string[], more: number): string {
  const all = more > 0 ? [...lines, `and ${more} more`] : lines;
  return all.length > 0 ? [`${title}:`, ...all].join("\n") : "";
}

function named(rows: Named[], status: Status): string[] {
  return rows.map(({ uri, why }) => {
    const root = status.baselines.map((b) => `${b.uri}/`).find((folder) => uri.startsWith(folder));
    return `${words(root === undefined ? uri : uri.slice(root.length))}: ${why}`;
  });
}

function base(baseline: string): string {
  switch (baseline) {
    case "":
      return "not known yet";
    case "empty":
      return "nothing, as there is no commit";
    case "first-sight":
      return "the text as it was first seen";
    default:
      return `commit ${baseline.slice(0, COMMIT_CHARS)}`;
  }
}

/** A URI as a person reads it. */
function words(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ""));
  } catch {
    return uri;
  }
}

/** Returns what the server said if it is a status, and nothing else: half of one must not look like a pass. */
function read(params: unknown): Status | undefined {
  const status = params as Partial<Status> | null;
  const numbers = ["block", "warn", "info", "error"] as const;
  const counts = status?.counts;
  if (typeof status?.verdict !== "string" || counts === undefined || numbers.some((name) => typeof counts[name] !== "number")) {
    return undefined;
  }
  // Servers before these names say nothing of them.
  const { baselines = [], failures = [], not_evaluated = [] } = status;
  if (![baselines, failures, not_evaluated].every(Array.isArray)) {
    return undefined;
  }
  return { verdict: status.verdict, counts: { ...counts, not_evaluated: counts.not_evaluated ?? 0 }, baselines, failures, not_evaluated };
}
