import type { Ripgrep } from "../engines/find-engines.js";
import type { Bytes } from "../files.js";
import { endOf, runOptions, type Driven, type Job } from "./job.js";
import { ALWAYS, lineByLine, patternArguments } from "./rg-arguments.js";
import { engineLog } from "./engine-log.js";
import { rgMessages } from "./rg-messages.js";
import { takeUntil } from "../take-until.js";

/** A NUL byte in the first so many bytes makes a file binary. */
export const BINARY_BYTES = 8192;
const MAX_UNFINISHED = 1000;

export interface DirectlyDriven extends Driven {
  /** Files that hold a NUL byte, but behind their beginning: they are text, and ripgrep has left them. */
  readonly unfinished: readonly Bytes[];
}

/** ripgrep walks by itself, in the cell. What it leaves out it tells with --debug, in JSON alone also what is binary. */
export async function searchDirectly(job: Job, rg: Ripgrep): Promise<DirectlyDriven> {
  const { query, place, sink } = job;
  const binary = new Set<Bytes>();
  const unfinished = new Set<Bytes>();
  let tooMany = false;
  const onBinary = (way: Bytes, offset: number): void => {
    if (offset < BINARY_BYTES) binary.add(way);
    else if (unfinished.size < MAX_UNFINISHED) unfinished.add(way);
    else tooMany = true;
  };
  const { ground } = place;
  if (ground === undefined) throw new Error("ripgrep cannot walk by itself here");
  const secret = Buffer.from(ground === "/" ? ground : `${ground}/`).toString("latin1");
  const log = engineLog({ secret, onBinary });
  const wayOf = (path: Bytes): Bytes => path.slice(secret.length);
  const read = rgMessages(sink, { wayOf, onBinary, namesFiles: query.mode === "files" }).feed;
  const result = await place.run(
    [
      rg.program,
      ...ALWAYS,
      "--debug",
      ...walkArguments(job, query.respectIgnore && (await isInRepository(job))),
      ...lineByLine(query),
      ...patternArguments(query, rg),
      "--",
      ground,
    ],
    "ground",
    {
      ...runOptions(job),
      onStdout: takeUntil(job.signal, (chunk) => read(chunk) ?? sink.rest()),
      onStderr: (chunk) => log.feed(chunk),
    },
  );
  log.end();
  const endedBy = endOf(result, log, rg.name);
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

/** As far as the root goes. */
async function isInRepository({ files, ground, signal }: Job): Promise<boolean> {
  const top = ground.root.real;
  const names = ground.real
    .slice(top.length)
    .split("/")
    .filter((name) => name !== "");
  const ways = [".git", ...names.map((_, nth) => `${names.slice(0, nth + 1).join("/")}/.git`)];
  const found = await files.lookAtNames({ ...ground, real: top, kind: "folder" }, ways, { signal });
  return found.some((each) => each !== undefined);
}

function walkArguments({ ground, query }: Job, inRepository: boolean): string[] {
  const below = ground.real === "/" ? 1 : ground.real.length + 1;
  const closed = ground.closed
    .filter(({ real }) => real.startsWith(ground.real === "/" ? "/" : `${ground.real}/`))
    .flatMap(({ real }) => ["-g", `!/${escapeGlob(Buffer.from(real.slice(below), "latin1").toString("utf8"))}`]);
  return [
    // It makes ripgrep blind to repositories within others, whose rules are their own.
    ...(inRepository ? [] : ["--no-require-git"]),
    "--no-ignore-global",
    // A rule such as !*/ would let it into .git.
    ...(query.respectIgnore ? ["-g", "!.git"] : ["--no-ignore"]),
    ...(query.includeHidden ? ["--hidden"] : []),
    ...closed,
  ];
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]{}!]/g, (char) => `\\${char}`);
}
