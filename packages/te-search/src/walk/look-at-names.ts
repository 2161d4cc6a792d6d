import { OpsError } from "@llmc/errors";
import {
  type OpenScope,
  kindOf,
  listedKindOf,
  type Looked,
  isFileError,
  close,
  lstatMany,
  type Descriptor,
  type Work,
  walk,
  type Scope,
} from "@llmc/te-path";
import { type Bytes, join } from "@llmc/names";
import type { FoundName } from "./found-name.js";
import { type SearchRoot } from "../search-root/search-root.js";
import { enterSearchRoot } from "../search-root/find-search-root.js";
import { isOutOfReach, Reach } from "./reach.js";

export interface SecondLookOptions {
  readonly signal?: AbortSignal | undefined;
}

const LOOKS_AT_ONCE = 256;

/** What has each name now; undefined: gone, closed or out of reach. In the order of the question. */
export async function lookAtNames(
  scope: OpenScope,
  searchRoot: SearchRoot,
  ways: readonly Bytes[],
  { signal }: SecondLookOptions = {},
): Promise<(FoundName | undefined)[]> {
  const answers: (FoundName | undefined)[] = ways.map(() => undefined);
  const reach = new Reach(scope, searchRoot);
  try {
    for (const [folder, wanted] of byFolder(ways)) {
      for (let at = 0; at < wanted.length; at += LOOKS_AT_ONCE) {
        const some = wanted.slice(at, at + LOOKS_AT_ONCE);
        const names = some.map(({ name }) => name);
        const found = await tolerant(
          scope.run(lookIn(scope, searchRoot, reach, folder, names), searchRoot.path, signal),
          signal,
        );
        some.forEach(({ index }, nth) => (answers[index] = found?.[nth]));
      }
    }
    return answers;
  } finally {
    await scope.run(reach.end(), searchRoot.path).catch(() => {});
  }
}

interface Wanted {
  readonly name: Bytes;
  readonly index: number;
}

/** Groups paths by folder; null stands for the folder of the search root itself. */
export function byFolder(ways: readonly Bytes[]): Map<Bytes | null, Wanted[]> {
  const folders = new Map<Bytes | null, Wanted[]>();
  ways.forEach((way, index) => {
    const cut = way.lastIndexOf("/");
    const folder = way === "" ? null : way.slice(0, Math.max(0, cut));
    const wanted = folders.get(folder);
    const one = { name: way.slice(cut + 1), index };
    if (wanted === undefined) folders.set(folder, [one]);
    else wanted.push(one);
  });
  return folders;
}

/** A mount that does not answer is out of reach, too. */
export async function tolerant<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    const isDead = OpsError.is(thrown) && thrown.code === "TIMEOUT" && signal?.aborted !== true;
    if (isDead || isOutOfReach(thrown) || isFileError(thrown)) return undefined;
    throw thrown;
  }
}

function* lookIn(
  scope: Scope,
  searchRoot: SearchRoot,
  reach: Reach,
  way: Bytes | null,
  names: readonly Bytes[],
): Work<(FoundName | undefined)[]> {
  if (way === null) {
    const itself = yield* lookAtRoot(scope, searchRoot);
    return names.map(() => itself);
  }
  const cursor = yield* reach.folder(way);
  if (cursor === undefined) return [];
  const open = names.map((name) => (isName(name) && !reach.isForbidden(cursor.real, name) ? name : "."));
  const found = yield* describe(scope, cursor.folder, cursor.real, open);
  return found.map((each, nth) => (open[nth] === "." ? undefined : each));
}

export function isName(name: Bytes): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("\0");
}

function* lookAtRoot(scope: Scope, searchRoot: SearchRoot): Work<FoundName> {
  const { entry, stat } = yield* enterSearchRoot(scope, searchRoot);
  yield* close(entry);
  return { name: "", kind: searchRoot.kind, ...factsOf(stat) };
}

/** Names of a folder that is held, with what is known of them; undefined: gone, or ours. */
export function* describe(
  scope: Scope,
  folder: Descriptor,
  real: Bytes,
  names: readonly Bytes[],
): Work<(FoundName | undefined)[]> {
  const points = scope.mounts.networkIn(real);
  const found = yield* lstatMany(
    folder,
    points.size === 0 ? names : names.map((name) => (points.has(name) ? "." : name)),
  );
  const seen = found.flatMap((each) => (isSeen(each) ? each.stat : []));
  const ours = yield* scope.forbidden.oursAmong(seen, folder.mount);
  const described: (FoundName | undefined)[] = [];
  for (const [nth, name] of names.entries()) {
    const each = found[nth];
    // Nothing is asked about it here: its server may not answer.
    if (points.has(name)) described.push({ name, kind: "folder" });
    else if (!isSeen(each) || ours.has(each.stat)) described.push(undefined);
    else described.push(yield* factsWithTarget(scope, join(real, name), name, each));
  }
  return described;
}

function* factsWithTarget(scope: Scope, real: Bytes, name: Bytes, { stat }: Looked): Work<FoundName> {
  const facts = { name, kind: listedKindOf(stat), ...factsOf(stat) };
  const target = facts.kind === "link" ? yield* targetOf(scope, real) : undefined;
  return target === undefined ? facts : { ...facts, target };
}

function factsOf(stat: Looked["stat"] | { size: bigint; mtimeNs: bigint }): { size: number; mtimeMs: number } {
  return { size: Number(stat.size), mtimeMs: Number(stat.mtimeNs / 1_000_000n) };
}

/** What leads out, to what is closed, or nowhere, has none. */
function* targetOf(scope: Scope, real: Bytes): Work<FoundName["target"]> {
  try {
    const { entry, stat } = yield* walk(scope, { path: real, shown: "", folder: false });
    yield* close(entry);
    const kind = kindOf(stat);
    return kind === "file" || kind === "folder" ? kind : undefined;
  } catch (thrown) {
    if (isOutOfReach(thrown)) return undefined;
    throw thrown;
  }
}

function isSeen(found: unknown): found is Looked {
  return typeof found === "object" && found !== null && "stat" in found;
}
