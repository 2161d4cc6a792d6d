import { EngineUnavailableError } from "@llmc/errors";
import type { Bytes } from "../files.js";
import { engineLog } from "./engine-log.js";
import { endOf, runOptions, type Driven, type Job } from "./job.js";
import { prefixOf, type ListedNames } from "./listed-names.js";
import { readableNames } from "./readable-names.js";

/** How many files one run of the engine gets: few enough for the first to come soon. */
const FILES_A_RUN = 1000;

/** An engine as it is used over names that it is given. */
export interface ListedEngine {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  readonly read: (chunk: Buffer) => void | "stop";
  /** Whether it knows what a byte order mark means. */
  readonly readsMarks: boolean;
}

export interface ListedDriven extends Driven {
  /** Files with a byte order mark that the engine was not given. */
  readonly marked: readonly Bytes[];
}

export interface ListedOptions {
  readonly xargs: string | null;
  /** Whether the engine takes the pattern, asked meanwhile: before that it gets no names. */
  readonly isTaken?: Promise<void> | undefined;
}

/** Runs an engine over names that come on its stdin, by xargs. */
export async function searchListed(
  job: Job,
  engine: ListedEngine,
  names: ListedNames,
  { xargs, isTaken }: ListedOptions,
): Promise<ListedDriven> {
  if (xargs === null)
    throw new EngineUnavailableError("xargs", "it is not installed", "Install findutils, or ripgrep with bubblewrap.");
  const { files, ground, signal, sink } = job;
  const log = engineLog(() => undefined);
  const { readsMarks } = engine;
  const readable = readableNames(names.source, { files, ground, signal, prefix: prefixOf(ground), readsMarks });
  try {
    const result = await job.place.run(
      [xargs, "-0", "-r", "-n", String(FILES_A_RUN), engine.program, ...engine.arguments],
      "root",
      {
        ...runOptions(job),
        stdin: held(readable.source, isTaken),
        onStdout: (chunk) => engine.read(chunk) ?? sink.rest(),
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
      unreadable: unreadable + readable.unreadable + log.unreadable + log.broken,
      binary: readable.binary,
      atLeast: endedBy !== null,
      inPart: log.broken > 0,
      marked: readable.marked,
    };
  } finally {
    names.stop();
    await names.walked.catch(() => undefined);
  }
}

/** Has the first chunk ready when it may go. */
async function* held(source: AsyncIterable<Uint8Array>, until: Promise<void> | undefined): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    await until;
    yield chunk;
  }
}

/** The way of a file by the name under which the engine got it. */
export function waysBehind({ ground }: Pick<Job, "ground">): (path: Bytes) => Bytes {
  const { length } = prefixOf(ground);
  return ground.kind === "file" ? () => "" : (path) => path.slice(length);
}
