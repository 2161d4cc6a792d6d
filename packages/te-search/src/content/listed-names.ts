import type { Files, WalkedNames } from "@llmc/te-fs";
import type { ContentQuery } from "../content-query.js";
import type { Bytes, Ground } from "../files.js";
import { globFilter } from "../names/filters.js";
import { belowRoot } from "./place.js";

/** Names of files for an engine that is told what to look at. */
export interface ListedNames {
  /** In chunks, each name ended by a NUL. */
  readonly source: AsyncIterable<Uint8Array>;
  /** No more are wanted. */
  stop(): void;
  /** Settles once the walk has ended. */
  readonly walked: Promise<WalkedNames>;
}

export interface Listing {
  readonly files: Pick<Files, "walkNames">;
  readonly ground: Ground;
  readonly query: ContentQuery;
  readonly globs: readonly string[];
  readonly typeGlobs: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly deadline: number;
}

/** What stands before a way in the name that the engine gets. The "./" is for a file whose name is "-". */
export function prefixOf(ground: Ground): Bytes {
  const below = belowRoot(ground, ground.real).replace(/^\//, "");
  return ground.kind === "file" || below === "" ? `./${below}` : `./${below}/`;
}

export const NOTHING_LEFT_OUT: WalkedNames = {
  ended: "whole",
  hidden: 0,
  ignored: 0,
  unreadable: 0,
  closed: 0,
  folders: 0,
  skippedRules: 0,
};

const CHUNK_BYTES = 16 * 1024;

/** By our own walk: it knows what is hidden, ignored or closed. */
export function walkedNames({ files, ground, query, globs, typeGlobs, signal, deadline }: Listing): ListedNames {
  const queue = handOver();
  const prefix = prefixOf(ground);
  const byGlob = globFilter(globs);
  const byType = globFilter(typeGlobs);
  const walk = {
    includeHidden: query.includeHidden,
    respectIgnore: query.respectIgnore,
    deadline,
    ...(signal === undefined ? {} : { signal }),
  };
  const walked = files.walkNames(ground, walk, ({ way, names }) => {
    if (queue.isClosed) return "stop";
    const folder = way === "" ? "" : `${way}/`;
    let text = "";
    for (const { name, kind } of names) {
      if (kind !== "file") continue;
      const path = folder + name;
      if (byGlob?.takes(path, false) === false || byType?.takes(path, false) === false) continue;
      text += `${prefix}${path}\0`;
    }
    return queue.give(text);
  });
  walked.then(
    () => queue.end(),
    (cause: unknown) => queue.fail(cause),
  );
  return { source: queue.source, stop: queue.close, walked };
}

export function givenNames(ground: Ground, ways: readonly Bytes[]): ListedNames {
  const prefix = prefixOf(ground);
  const text = ways.map((way) => `${prefix}${way}\0`).join("");
  async function* once(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text, "latin1");
  }
  return { source: once(), stop: () => undefined, walked: Promise.resolve(NOTHING_LEFT_OUT) };
}

interface HandOver {
  readonly source: AsyncIterable<Uint8Array>;
  readonly isClosed: boolean;
  /** The promise settles when what was given before is taken. */
  give(text: string): void | "stop" | Promise<void | "stop">;
  end(): void;
  fail(cause: unknown): void;
  close(): void;
}

/** From who gives to who asks, with one chunk in between. */
function handOver(): HandOver {
  let text = "";
  let [isOver, isClosed] = [false, false];
  let failure: { readonly cause: unknown } | undefined;
  let wake: () => void = () => undefined;
  let taken: () => void = () => undefined;

  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (failure !== undefined) throw failure.cause;
        if (isOver && text === "") return;
        // A command begins with a full chunk: each costs a start of the engine.
        if (text.length >= CHUNK_BYTES || (isOver && text !== "")) {
          const chunk = Buffer.from(text, "latin1");
          text = "";
          taken();
          yield chunk;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      close();
    }
  }

  function close(): void {
    isClosed = true;
    taken();
    wake();
  }

  return {
    source: chunks(),
    get isClosed() {
      return isClosed;
    },
    give(more) {
      if (isClosed) return "stop";
      text += more;
      if (text.length < CHUNK_BYTES) return;
      wake();
      if (text.length < 4 * CHUNK_BYTES) return;
      return new Promise((resolve) => (taken = () => resolve(isClosed ? "stop" : undefined)));
    },
    end() {
      isOver = true;
      wake();
    },
    fail(cause) {
      failure = { cause };
      wake();
    },
    close,
  };
}
