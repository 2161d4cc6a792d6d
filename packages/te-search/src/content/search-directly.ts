import { EngineUnavailableError } from "@llmc/errors";
import type { Ripgrep } from "../engines/engine.js";
import type { Bytes } from "@llmc/names";
import { endOf, runOptions, type Driven, type Job } from "./job.js";
import { isInRepository, watchQuiet, type QuietWatch } from "./held-up.js";
import { ALWAYS, lineByLine, patternArguments } from "./rg-arguments.js";
import { engineLog } from "./engine-log.js";
import { rgMessages } from "./rg-messages.js";
import { takeUntil } from "../engines/take-until.js";

/** A NUL byte in the first so many bytes makes a file binary. */
export const BINARY_BYTES = 8192;
const MAX_UNFINISHED = 1000;

export interface DirectlyDriven extends Driven {
  /** Files that hold a NUL byte, but behind their beginning: they are text, and ripgrep has left them. */
  readonly unfinished: readonly Bytes[];
}

/**
 * ripgrep walks by itself, in the cell. What it leaves out it tells with --debug, in JSON alone also what is binary.
 * "held up": it cannot go where it would have to; what it has told of whole files stands.
 */
export async function searchDirectly(job: Job, rg: Ripgrep): Promise<DirectlyDriven | "held up"> {
  const { query, place, sink } = job;
  // Without rules it does not matter.
  const isRepository = query.respectIgnore && (await isInRepository(job));
  const binary = new Set<Bytes>();
  const unfinished = new Set<Bytes>();
  let tooMany = false;
  const onBinary = (way: Bytes, offset: number): void => {
    if (offset < BINARY_BYTES) binary.add(way);
    else if (unfinished.size < MAX_UNFINISHED) unfinished.add(way);
    else tooMany = true;
  };
  const { searchRoot } = place;
  if (searchRoot === undefined) throw new Error("ripgrep cannot walk by itself here");
  const secret = Buffer.from(searchRoot === "/" ? searchRoot : `${searchRoot}/`).toString("latin1");
  const log = engineLog({ secret, onBinary });
  const wayOf = (path: Bytes): Bytes => path.slice(secret.length);
  const reader = rgMessages(sink, { wayOf, onBinary, namesFiles: query.mode === "files" });
  const watch = watchQuiet(job);
  const argv = [rg.program, ...argumentsFor(job, rg, isRepository), "--", searchRoot] as const;
  const result = await ended(watch, () =>
    place.run(argv, "search root", {
      ...runOptions({ ...job, signal: watch.signal }),
      // With --debug ripgrep writes each line in forty pieces.
      pipes: job.pipes,
      onStdout: takeUntil(watch.signal, (chunk) => {
        watch.heard();
        return reader.feed(chunk) ?? sink.rest();
      }),
      onStderr(chunk) {
        watch.heard();
        log.feed(chunk);
      },
    }),
  );
  log.end();
  if (watch.isHeldUp() && (result.ended === "cancelled" || result.ended === "stopped")) {
    if (reader.isInFile()) sink.discard();
    return "held up";
  }
  const endedBy = endOf(result, log, rg.name);
  // Its exit code says as much of a program that did not search at all.
  if (result.ended === "exit" && !reader.isWhole())
    throw new EngineUnavailableError(rg.name, "it has ended without its summary", "Install it again.");
  return {
    endedBy,
    ignored: log.ignored,
    hidden: log.hidden + (query.includeHidden ? 0 : log.repositories),
    unreadable: log.unreadable + log.broken,
    binary: binary.size,
    unfinished: [...unfinished],
    atLeast: endedBy !== null || tooMany,
    inPart: tooMany || log.broken > 0,
  };
}

async function ended<T>(watch: QuietWatch, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    await watch.end();
  }
}

function argumentsFor({ searchRoot, query }: Job, rg: Ripgrep, isRepository: boolean): string[] {
  const below = searchRoot.real === "/" ? 1 : searchRoot.real.length + 1;
  const closed = searchRoot.closed
    .filter(({ real }) => real.startsWith(searchRoot.real === "/" ? "/" : `${searchRoot.real}/`))
    .flatMap(({ real }) => ["-g", `!/${escapeGlob(Buffer.from(real.slice(below), "latin1").toString("utf8"))}`]);
  return [
    ...ALWAYS,
    "--debug",
    // It makes ripgrep blind to repositories within others, whose rules are their own.
    ...(isRepository ? [] : ["--no-require-git"]),
    "--no-ignore-global",
    // A rule such as !*/ would let it into .git.
    ...(query.respectIgnore ? ["-g", "!.git"] : ["--no-ignore"]),
    ...(query.includeHidden ? ["--hidden"] : []),
    ...closed,
    ...lineByLine(query),
    ...patternArguments(query, rg),
  ];
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}!]/g, (char) => `\\${char}`);
}
