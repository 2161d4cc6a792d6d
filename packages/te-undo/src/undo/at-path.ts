import { constants } from "node:fs";
import {
  close,
  fstat,
  type Descriptor,
  type Steps,
  walkToSpot,
  type Spot,
  type Tree,
  hashOf,
  withEntry,
  withOpen,
  type ContentMark,
} from "@llmc/te-path";
import { type Bytes, show } from "@llmc/names";
import { changed } from "./in-the-way.js";

/** Works where a step says that something is or was. */
export function* atPath<T>(tree: Tree, path: Bytes, work: (spot: Spot) => Steps<T>): Steps<T> {
  const spot = yield* spotAt(tree, path);
  try {
    return yield* work(spot);
  } finally {
    yield* close(spot.parent);
  }
}

/** The walk goes through no link that leads elsewhere by now. Whoever gets the spot closes its `parent`. */
export function* spotAt(tree: Tree, path: Bytes): Steps<Spot> {
  const spot = yield* walkToSpot(tree, { shown: show(path), path, folder: false }, { follow: false });
  if (spot.real === path) return spot;
  yield* close(spot.parent);
  throw changed(path, "is reached through a link by now");
}

/** What the regular file at a spot has now, or its first `size` bytes. */
export function* contentAt(spot: Spot, size?: number): Steps<ContentMark> {
  return yield* withEntry(spot, (entry) => withOpen(entry, constants.O_RDONLY, (file) => contentOf(file, size)));
}

export function* contentOf(file: Descriptor, first = Number.POSITIVE_INFINITY): Steps<ContentMark> {
  const size = Math.min(first, Number((yield* fstat(file)).size));
  return { sha256: (yield* hashOf(file, size)).digest("hex"), size };
}

export { whoIs } from "../store/undo-step.js";
