import type { Encoding } from "@llmc/patch";
import { sameIdentity, type FileIdentity } from "./open-file.js";

/** Where the lines of a file are, roughly: the newlines before every `stride` bytes, and all of them. */
export interface LineMap {
  readonly encoding: Encoding;
  /** Bytes that were seen. */
  readonly end: number;
  readonly lines: number;
  readonly stride: number;
  /** `marks[i]`: newlines before byte `i * stride`. */
  readonly marks: readonly number[];
}

/** Keeps the maps of files that did not change. */
export interface LineIndexCache {
  /** @internal */
  get(identity: FileIdentity): LineMap | undefined;
  /** @internal */
  set(identity: FileIdentity, map: LineMap, readAt: number): void;
}

// The clock of ctime ticks every few milliseconds, on some file systems every two seconds: a file that changed that
// lately could change again without a new ctime.
const SETTLED_MS = 2000;

/** Least recently used goes first. A map has at most some ten thousand numbers, whatever the size of its file. */
export function createLineIndexCache({ maxFiles }: { readonly maxFiles: number }): LineIndexCache {
  const maps = new Map<string, { readonly identity: FileIdentity; readonly map: LineMap }>();
  const key = ({ dev, ino }: FileIdentity): string => `${dev}:${ino}`;
  return {
    get(identity) {
      const known = maps.get(key(identity));
      if (known === undefined) return undefined;
      maps.delete(key(identity));
      if (!sameIdentity(known.identity, identity)) return undefined;
      maps.set(key(identity), known);
      return known.map;
    },
    set(identity, map, readAt) {
      if (readAt - Number(identity.ctimeNs / 1_000_000n) < SETTLED_MS) return;
      maps.delete(key(identity));
      maps.set(key(identity), { identity, map });
      const [oldest] = maps.keys();
      if (maps.size > maxFiles && oldest !== undefined) maps.delete(oldest);
    },
  };
}
