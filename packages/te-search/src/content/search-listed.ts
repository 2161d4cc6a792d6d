import { EngineUnavailableError } from "@llmc/errors";
import type { Bytes } from "@llmc/names";
import { engineLog } from "./engine-log.js";
import { endOf, runOptions, XARGS_CODES, type Driven, type Job } from "./job.js";
import { prefixOf, type ListedNames } from "./listed-names.js";
import { readableNames } from "./readable-names.js";
import { takeUntil } from "../engines/take-until.js";

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
  /** Rejects where the engine does not take the pattern. Asked when it complains, and when it had nothing to do. */
  readonly trial?: (() => Promise<void>) | undefined;
}

/** Runs an engine over names that come on its stdin, by xargs. */
export async function searchListed(
  job: Job,
  engine: ListedEngine,
  names: ListedNames,
  { xargs, trial }: ListedOptions,
): Promise<ListedDriven> {
  if (xargs === null)
    throw new EngineUnavailableError("xargs", "it is not installed", "Install findutils, or ripgrep with bubblewrap.");
  const { files, searchRoot, signal, sink } = job;
  const log = engineLog();
  const { readsMarks } = engine;
  const doubts = doubting(trial);
  const readable = readableNames(names.source, { files, searchRoot, signal, prefix: prefixOf(searchRoot), readsMarks });
  try {
    const result = await job.place.run(
      [xargs, "-0", "-r", "-n", String(FILES_A_RUN), engine.program, ...engine.arguments],
      "root",
      {
        ...runOptions(job),
        stdin: doubts.during(readable.source),
        onStdout: takeUntil(signal, (chunk) => engine.read(chunk) ?? sink.rest()),
        onStderr(chunk) {
          log.feed(chunk);
          if (log.complaint !== "") doubts.begin();
        },
      },
      [engine.program],
    );
    log.end();
    await doubts.settled();
    names.stop();
    const { ended, ignored, hidden, unreadable } = await names.walked;
    const endedBy = endOf(result, log, engine.name, XARGS_CODES) ?? (ended === "deadline" ? "deadline" : null);
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
    await Promise.allSettled([names.walked, doubts.over()]);
  }
}

interface Doubts {
  begin(): void;
  /** Ends with the reason where the pattern is not taken. */
  during(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  settled(): Promise<void>;
  /** Nobody is asked any more. */
  over(): Promise<void>;
}

/** An engine says what is wrong with a pattern once for each run over some files: it is asked when it says anything. */
function doubting(trial: (() => Promise<void>) | undefined): Doubts {
  let asked: Promise<void> | undefined;
  let isUsed = false;
  const begin = (): void => {
    asked ??= trial?.();
    // Whoever waits for it hears of it.
    asked?.catch(() => undefined);
  };
  return {
    begin,
    async *during(source) {
      for await (const chunk of source) {
        await asked;
        isUsed = true;
        yield chunk;
      }
    },
    async settled() {
      if (!isUsed) begin();
      await asked;
    },
    over: async () => await asked,
  };
}

/** The way of a file by the name under which the engine got it. */
export function waysBehind({ searchRoot }: Pick<Job, "searchRoot">): (path: Bytes) => Bytes {
  const { length } = prefixOf(searchRoot);
  return searchRoot.kind === "file" ? () => "" : (path) => path.slice(length);
}
