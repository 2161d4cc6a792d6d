import { EngineUnavailableError } from "@llmc/errors";
import type { Ripgrep } from "../engines/find-engines.js";
import type { Bytes } from "../files.js";
import { byFile } from "./by-file.js";
import { endOf, runOptions, type Driven, type Job } from "./job.js";
import { prefixOf, type ListedNames } from "./listed-names.js";
import { ALWAYS, patternArguments } from "./rg-arguments.js";
import { rgLog } from "./rg-log.js";
import { rgMessages } from "./rg-messages.js";

/** How many files one run of the engine gets: few enough for the first to come soon. */
const FILES_A_RUN = 2000;

/** An engine as a driver of names uses it. */
export interface ListedEngine {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly read: (chunk: Buffer) => void | "stop";
}

/** ripgrep over names that it is given. What is binary is for somebody else to say. */
export function listedRipgrep(job: Job, rg: Ripgrep, telling: readonly string[]): ListedEngine {
  const wayOf = waysBehind(job);
  return {
    name: rg.name,
    program: rg.program,
    arguments: [...ALWAYS, "--text", ...telling, ...patternArguments(job.query, rg), "--"],
    read: telling.includes("--json")
      ? rgMessages(job.sink, { wayOf, onBinary: () => undefined }).feed
      : byFile(job.sink, { counts: job.query.mode === "count", wayOf }),
  };
}

/** Runs an engine over names that come on its stdin, by xargs. */
export async function searchListed(
  job: Job,
  engine: ListedEngine,
  names: ListedNames,
  xargs: string | null,
): Promise<Driven> {
  if (xargs === null)
    throw new EngineUnavailableError("xargs", "it is not installed", "Install findutils, or ripgrep with bubblewrap.");
  const log = rgLog(() => undefined);
  try {
    const result = await job.place.run(
      [xargs, "-0", "-r", "-n", String(FILES_A_RUN), engine.program, ...engine.arguments],
      "root",
      {
        ...runOptions(job),
        stdin: names.source,
        onStdout: (chunk) => engine.read(chunk) ?? job.sink.rest(),
        onStderr: (chunk) => log.feed(chunk),
      },
      [engine.program],
    );
    log.end();
    names.stop();
    const { ended, ignored, hidden, unreadable } = await names.walked;
    const endedBy = endOf(result, log, engine.name) ?? (ended === "deadline" ? "deadline" : null);
    return {
      endedBy,
      ignored,
      hidden,
      unreadable: unreadable + log.unreadable + log.broken,
      binary: 0,
      unfinished: [],
      atLeast: endedBy !== null,
      inPart: log.broken > 0,
    };
  } finally {
    names.stop();
    await names.walked.catch(() => undefined);
  }
}

export function waysBehind({ ground }: Job): (path: Bytes) => Bytes {
  const { length } = prefixOf(ground);
  return ground.kind === "file" ? () => "" : (path) => path.slice(length);
}
