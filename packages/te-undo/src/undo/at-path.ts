import { constants } from "node:fs";
import {
  close,
  fstat,
  type Descriptor,
  type Work,
  walkToTarget,
  type Target,
  type Scope,
  hashOf,
  withEntry,
  withOpen,
  type ContentMark,
} from "@llmc/te-path";
import { type Bytes, displayPath } from "@llmc/names";
import { changed } from "./conflict.js";

/** Works where a step says that something is or was. */
export function* atPath<T>(scope: Scope, path: Bytes, work: (target: Target) => Work<T>): Work<T> {
  const spot = yield* targetAt(scope, path);
  try {
    return yield* work(spot);
  } finally {
    yield* close(spot.parent);
  }
}

/** The walk goes through no link that leads elsewhere by now. Whoever gets the spot closes its `parent`. */
export function* targetAt(scope: Scope, path: Bytes): Work<Target> {
  const target = yield* walkToTarget(scope, { shown: displayPath(path), path, folder: false }, { follow: false });
  if (target.real === path) return target;
  yield* close(target.parent);
  throw changed(path, "is reached through a link by now");
}

/** What the regular file at a spot has now, or its first `size` bytes. */
export function* contentAt(target: Target, size?: number): Work<ContentMark> {
  return yield* withEntry(target, (entry) => withOpen(entry, constants.O_RDONLY, (file) => contentOf(file, size)));
}

export function* contentOf(file: Descriptor, first = Number.POSITIVE_INFINITY): Work<ContentMark> {
  const size = Math.min(first, Number((yield* fstat(file)).size));
  return { sha256: (yield* hashOf(file, size)).digest("hex"), size };
}

export { whoIs } from "../store/steps.js";
