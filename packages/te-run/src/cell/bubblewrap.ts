import { open, realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { OpsError } from "@llmc/errors";
import { findProgram } from "../find/find-program.js";
import { O_PATH } from "../process/open-flags.js";
import { run } from "../run/run.js";
import { ofTheProcess } from "./arguments.js";
import type { Cell, Missing } from "./cell.js";
import { type Bubblewrap, runInside } from "./inside.js";
import { whyMissing } from "./why-missing.js";

const PROBE = { maxBytes: 64 * 1024, timeoutMs: 20_000 };
/** Missing in what distributions stopped to maintain (0.3 and older). */
const NEEDED = ["--json-status-fd", "--die-with-parent", "--new-session", "--cap-add", "--block-fd"];

/** The cell made by bubblewrap, looked for in the folders of `path` (default: the system folders) at first use. */
export function bubblewrapCell(options: { readonly path?: string } = {}): { held(): Promise<Cell | Missing> } {
  let found: Promise<Cell | Missing> | undefined;
  return { held: () => (found ??= find(options.path)) };
}

async function find(path: string | undefined): Promise<Cell | Missing> {
  const program = await findProgram("bwrap", path);
  if (program === null) return { missing: "bubblewrap (bwrap) is not installed" };
  try {
    const help = (await run([program, "--help"], { ...PROBE, baseEnv: {} })).stdout.toString();
    const lacking = NEEDED.find((option) => !help.includes(option));
    if (lacking !== undefined) return { missing: `bubblewrap is too old: it has no ${lacking}` };
    const bwrap: Bubblewrap = {
      path: program,
      process: await ofTheProcess(),
      bindsOpen: help.includes("--ro-bind-fd"),
      setsModes: help.includes("--perms"),
    };
    return await tried(bwrap);
  } catch (thrown) {
    return { missing: await whyMissing(thrown instanceof OpsError ? thrown.message : String(thrown)) };
  }
}

/** A cell that has shown what it is for: its folder is there, what is closed is covered, what lies outside is not there. */
async function tried(bwrap: Bubblewrap): Promise<Cell | Missing> {
  const cell: Cell = { run: (argv, see, options) => runInside(bwrap, argv, see, options) };
  const test = await findProgram("test");
  if (test === null) return { missing: "there is no program `test` to try bubblewrap with" };
  const own = await realpath(test);
  await using folder = await open(dirname(own), O_PATH);
  const covered = `/held/${basename(own)}`;
  const asks = [test, "-c", covered, "-a", "!", "-e", process.execPath] as const;
  const see = { fd: folder.fd, at: "/held", closed: [{ path: covered, kind: "file" }] } as const;
  const { exitCode, ended } = await cell.run(asks, see, PROBE);
  if (ended !== "exit") return { missing: "bubblewrap does not come to an end" };
  return exitCode === 0 ? cell : { missing: "bubblewrap runs, but its cell does not hold" };
}
