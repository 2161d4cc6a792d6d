import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  openCommands,
  type ClosedPaths,
  type Commands,
  type CommandsOptions,
  type LaunchRequest,
} from "../../src/index.js";

export const hasBubblewrap =
  spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"], { stdio: "ignore" }).status === 0;
if (!hasBubblewrap) console.warn("skipped: bubblewrap makes no sandbox here");

export const hasNamespaces =
  spawnSync(
    "unshare",
    [
      ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
      "--mount",
      "--pid",
      "--fork",
      "mount",
      "-t",
      "proc",
      "proc",
      "/proc",
    ],
    { stdio: "ignore" },
  ).status === 0;
if (!hasNamespaces) console.warn("skipped: unshare makes no sandbox here");

export interface Place {
  readonly root: string;
  /** Beside the root: what no command may reach. */
  readonly outside: string;
  readonly commands: Commands;
  prepare(command: string | readonly string[], more?: Partial<LaunchRequest>): ReturnType<Commands["prepare"]>;
  /** Runs to the end: exit code (127 for what is missing), and all that was printed. */
  run(
    command: string | readonly string[],
    more?: Partial<LaunchRequest>,
  ): Promise<{ code: number | null; printed: string }>;
}

export interface PlaceOptions extends Partial<CommandsOptions> {
  /** Paths that are closed to every command here; asked once the root exists. */
  readonly closed?: (root: string) => Partial<ClosedPaths>;
}

/** Commands over one fresh root; everything is removed when the test ends. */
export function place({ closed, ...options }: PlaceOptions = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "commands-")));
  const [root, outside, home, state] = ["root", "outside", "home", "state"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [root, outside, home, state]) mkdirSync(folder);
  const commands = openCommands({
    lists: { allowUnsafe: false },
    sandbox: "auto",
    network: true,
    hostView: false,
    pathExtra: [],
    sandboxRead: [],
    sandboxWrite: [],
    envPass: [],
    maxPids: 512,
    maxMemoryMb: 0,
    home,
    roots: () => [{ path: root, real: root }],
    stateDir: state,
    ...options,
  });
  onTestFinished(async () => {
    await commands.close();
    rmSync(base, { recursive: true, force: true });
  });
  const prepare: Place["prepare"] = (command, more = {}) =>
    commands.prepare({
      command: typeof command === "string" ? { line: command } : { argv: command },
      use: "command",
      cwd: root,
      closed: { hidden: [], guarded: [], pinned: [], ...closed?.(root) },
      session: { id: "s1", agentId: "agent", model: "model" },
      ...more,
    });
  const run: Place["run"] = async (command, more) => {
    const launch = await prepare(command, more);
    if ("missing" in launch) return { code: 127, printed: JSON.stringify(launch.hint ?? "") };
    const { child, stdout, stderr } = await launch.start({ stdin: "ignore" });
    let printed = "";
    for (const stream of [stdout, stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    await launch.release();
    return { code, printed };
  };
  return { root, outside, commands, prepare, run };
}
