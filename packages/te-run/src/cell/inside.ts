import { randomBytes } from "node:crypto";
import { closeSync } from "node:fs";
import { basename } from "node:path";
import { EngineUnavailableError, InvalidArgumentError } from "@llmc/errors";
import { Head, type TakeChunk } from "../streams/output.js";
import type { RunOptions } from "../run/run-options.js";
import { MARK, runWired, type RunResult } from "../run/run.js";
import { GATE_FD, ofTheMounts, type Raised, STATUS_FD } from "./arguments.js";
import type { CellOptions, CellSight } from "./cell.js";
import { Channels } from "./channels.js";
import { contains, findPlaces, isAsAsked, letGo, type Place } from "./covers.js";
import { filesOf, type ProgramFiles } from "./program-files.js";

/** A bubblewrap that was found, and what it can do. */
export interface Bubblewrap {
  readonly path: string;
  readonly process: readonly string[];
  readonly bindsOpen: boolean;
  readonly setsModes: boolean;
}

const ENVIRONMENT = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
/** What run() adds for bubblewrap, and the engine has no use for. */
const NOT_INSIDE = ["--unsetenv", "PATH", "--unsetenv", MARK];
const SETUP_TEXT_BYTES = 1024;

export async function runInside(
  bwrap: Bubblewrap,
  argv: readonly [string, ...string[]],
  see: CellSight,
  options: CellOptions,
): Promise<RunResult> {
  check(argv, see);
  const programs = await Promise.all([argv[0], ...(see.programs ?? [])].map(filesOf));
  const places = findPlaces(see);
  try {
    return await runGated({ bwrap, argv, see, options, places, programs });
  } finally {
    letGo(places);
  }
}

interface Gated {
  readonly bwrap: Bubblewrap;
  readonly argv: readonly [string, ...string[]];
  readonly see: CellSight;
  readonly options: CellOptions;
  readonly places: readonly Place[];
  readonly programs: readonly ProgramFiles[];
}

async function runGated({ bwrap, argv, see, options, places, programs }: Gated): Promise<RunResult> {
  const isGated = places.length > 0 || !bwrap.bindsOpen;
  const ready = isGated ? `${see.at === "/" ? "/proc" : ""}/${randomBytes(8).toString("hex")}` : undefined;
  const raised = raise(see, argv[0], programs[0]);
  const mounts = ofTheMounts({ see, places, programs, raised, ready, ...bwrap });
  const fds = ["--json-status-fd", `${STATUS_FD}`, ...(isGated ? ["--block-fd", `${GATE_FD}`] : [])];
  const channels = new Channels();
  const { taker, text } = overhear(options.onStderr);
  try {
    const result = await runWired(
      [bwrap.path, ...bwrap.process, ...NOT_INSIDE, ...fds, ...mounts, "--", raised?.to ?? argv[0], ...argv.slice(1)],
      { ...options, ...taker, baseEnv: { [MARK]: process.env[MARK] }, env: ENVIRONMENT },
      {
        extra: [bwrap.bindsOpen ? see.fd : "ignore", "pipe", ...(isGated ? (["pipe", "pipe"] as const) : [])],
        onStart: async (child) => {
          channels.open(child);
          if (ready === undefined) return;
          const root = await channels.mounted(ready);
          if (root === undefined) return;
          try {
            if (!isAsAsked(root, see, places)) throw moved();
          } finally {
            closeSync(root);
          }
          channels.letStart();
        },
        endAtOnce: true,
      },
    );
    if (result.ended === "exit" && !(await channels.engineRan())) throw notSetUp(text() ?? result.stderr.toString());
    return result;
  } finally {
    channels.close();
  }
}

/**
 * To the top of the cell, where that may be: bubblewrap looks up and makes each folder above a program. Its name stays, for
 * it may be many programs in one; and one that needs libraries may look for them beside itself.
 */
function raise({ at }: CellSight, from: string, files: ProgramFiles | undefined): Raised | undefined {
  const to = `/${basename(from)}`;
  return files?.isAlone !== true || contains(at, to) || contains(to, at) || contains(at, from)
    ? undefined
    : { from, to };
}

/** bubblewrap's own words come where the engine's come: the first of them are kept beside the caller's taker. */
function overhear(onStderr: RunOptions["onStderr"]): {
  taker: Pick<RunOptions, "onStderr">;
  text: () => string | undefined;
} {
  if (onStderr === undefined) return { taker: {}, text: () => undefined };
  const told = new Head(SETUP_TEXT_BYTES);
  const taker: TakeChunk = (chunk) => {
    told.add(chunk);
    return onStderr(chunk);
  };
  return { taker: { onStderr: taker }, text: () => told.bytes().toString() };
}

function check(argv: readonly string[], see: CellSight): void {
  const paths = [see.at, see.cwd ?? see.at, ...see.closed.map(({ path }) => path)];
  for (const path of [...paths, argv[0] ?? "", ...(see.programs ?? [])]) {
    if (!isPlain(path)) throw new InvalidArgumentError(`${JSON.stringify(path)} is not a plain absolute path`);
  }
  if (!contains(see.at, see.cwd ?? see.at)) {
    throw new InvalidArgumentError(`${JSON.stringify(see.cwd)} is outside of ${JSON.stringify(see.at)}`);
  }
}

/** U+FFFD stands for bytes that are no UTF-8: the real name is another one, and would not be covered. */
function isPlain(path: string): boolean {
  if (!path.startsWith("/") || /[\0\ufffd\p{Cs}]/u.test(path)) return false;
  return (
    path === "/" ||
    path
      .slice(1)
      .split("/")
      .every((name) => name !== "" && name !== "." && name !== "..")
  );
}

function moved(): EngineUnavailableError {
  return new EngineUnavailableError("bubblewrap", "a folder was moved while its cell was made", "Try again.");
}

function notSetUp(text: string): EngineUnavailableError {
  // The engine may have spoken before bubblewrap was ended.
  const [, line = "it ended early"] = /^bwrap: (.+)$/m.exec(text) ?? [];
  return new EngineUnavailableError("bubblewrap", line, { id: "see-health" });
}
