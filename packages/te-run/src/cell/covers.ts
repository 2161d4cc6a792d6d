import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { posix } from "node:path";
import { InvalidArgumentError } from "@llmc/errors";
import { O_PATH } from "../process/open-flags.js";
import type { CellSight, Closed } from "./cell.js";

const ALWAYS = ["/proc", "/sys", "/dev"];

/** A closed place as it was before the cell: its folder held open, and what lay there. */
export interface Place extends Closed {
  readonly folder: number;
  readonly stat: BigIntStats;
}

/**
 * The places to cover. What is not there has nothing to cover. These few looks are made at once, not in the thread pool:
 * each takes microseconds, a trip through the pool costs more than all of them.
 */
export function findPlaces(see: CellSight): readonly Place[] {
  const always = see.at === "/" ? ALWAYS.map((path) => ({ path, kind: "folder" as const })) : [];
  const places: Place[] = [];
  try {
    for (const closed of outermost([...always, ...see.closed], see.at)) {
      const place = look(closed, see);
      if (place !== undefined) places.push(place);
    }
    return places;
  } catch (cause) {
    letGo(places);
    throw cause;
  }
}

export function letGo(places: readonly Place[]): void {
  for (const { folder } of places) closeSync(folder);
}

/**
 * Whether all is inside as it was asked for: the folder is the one that we hold, and each place is covered. Mounts go by
 * name, and names can be swapped meanwhile. So a place is looked at from both sides: its folder inside is the one that
 * we hold, what lies in it there is a mount of its own, and what lies in it here is still what lay there before.
 */
export function isAsAsked(root: number, see: CellSight, places: readonly Place[]): boolean {
  const inside = `/proc/self/fd/${root}`;
  const at = lookAt(inside + see.at);
  if (at === undefined || !same(at, fstatSync(see.fd, { bigint: true }))) return false;
  return places.every((place) => isCovered(place, inside));
}

function isCovered(place: Place, root: string): boolean {
  const { folder, name } = split(place.path);
  const inside = openFolder(root + folder);
  if (inside === undefined) return false;
  try {
    const [own, held] = [fstatSync(inside, { bigint: true }), fstatSync(place.folder, { bigint: true })];
    const [cover, real] = [lookAt(`/proc/self/fd/${inside}/${name}`), lookAt(`/proc/self/fd/${place.folder}/${name}`)];
    if (cover === undefined || real === undefined || !same(own, held) || !same(real, place.stat)) return false;
    if (place.kind === "file") return cover.isCharacterDevice();
    return cover.isDirectory() && cover.dev !== own.dev && cover.dev !== real.dev;
  } finally {
    closeSync(inside);
  }
}

function look(closed: Closed, see: CellSight): Place | undefined {
  const { folder, name } = split(closed.path);
  const held = openFolder(`/proc/self/fd/${see.fd}/${posix.relative(see.at, folder)}`);
  if (held === undefined) return undefined;
  const stat = lookAt(`/proc/self/fd/${held}/${name}`);
  if (stat !== undefined) return { ...closed, folder: held, stat };
  closeSync(held);
  return undefined;
}

/** Without those that lie in another one, which are covered with it, and those that the cell does not show. */
function outermost(closed: readonly Closed[], at: string): Closed[] {
  const over = closed.find(({ path }) => contains(path, at));
  if (over !== undefined) {
    throw new InvalidArgumentError(`${over.path} is closed, so that nothing of ${at} can be shown`);
  }
  const byPath = new Map(closed.map((one) => [one.path, one]));
  const isInner = (path: string): boolean => closed.some((outer) => outer.path !== path && contains(outer.path, path));
  return [...byPath.values()].filter(({ path }) => contains(at, path) && !isInner(path));
}

export function contains(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

function split(path: string): { folder: string; name: string } {
  return { folder: posix.dirname(path), name: posix.basename(path) };
}

function openFolder(path: string): number | undefined {
  return unlessAbsent(() => openSync(path, O_PATH | constants.O_DIRECTORY));
}

function lookAt(path: string): BigIntStats | undefined {
  return unlessAbsent(() => lstatSync(path, { bigint: true }));
}

function unlessAbsent<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    // What we may not reach, an engine with our rights cannot reach either.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return undefined;
    throw thrown;
  }
}

function same(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
