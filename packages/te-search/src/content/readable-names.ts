import { lookIntoFiles } from "../walk/look-into-files.js";
import type { Files } from "@llmc/te-fs";
import type { Bytes } from "@llmc/names";
import type { SearchRoot } from "../search-root/search-root.js";

/** The files of a list that an engine is to read. */
export interface ReadableNames {
  /** In chunks, each name ended by a NUL. */
  readonly source: AsyncIterable<Uint8Array>;
  readonly binary: number;
  readonly unreadable: number;
  /** Files with a byte order mark that were kept from the engine. */
  readonly marked: readonly Bytes[];
}

export interface Reading {
  readonly files: Pick<Files, "scope">;
  readonly searchRoot: SearchRoot;
  readonly signal: AbortSignal | undefined;
  /** Stands before each way. */
  readonly prefix: Bytes;
  /** Whether the engine knows what a byte order mark means. */
  readonly readsMarks: boolean;
}

/** Looks into each file before the engine does: what is binary is ours to say, the same for all engines. */
export function readableNames(
  ways: AsyncIterable<readonly Bytes[]>,
  { files, searchRoot, signal, prefix, readsMarks }: Reading,
): ReadableNames {
  const marked: Bytes[] = [];
  const counts = { binary: 0, unreadable: 0 };

  async function* names(): AsyncGenerator<Uint8Array> {
    for await (const chunk of ways) {
      const texts = await lookIntoFiles(files.scope, searchRoot, chunk, { signal });
      let text = "";
      for (const [index, way] of chunk.entries()) {
        const kind = texts[index];
        if (kind === "binary" || kind === "unreadable") counts[kind] += 1;
        else if (kind === "plain" || (kind !== undefined && readsMarks)) text += `${prefix}${way}\0`;
        else if (kind !== undefined) marked.push(way);
      }
      if (text !== "") yield Buffer.from(text, "latin1");
    }
  }

  return {
    source: names(),
    get binary() {
      return counts.binary;
    },
    get unreadable() {
      return counts.unreadable;
    },
    marked,
  };
}
