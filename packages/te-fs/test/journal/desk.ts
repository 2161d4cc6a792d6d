import { cpSync, lstatSync, readdirSync, readlinkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createJournal, type JournalOptions, type OpenJournal } from "../../src/journal/create-journal.js";
import type { Change, ChangeFacts } from "../../src/journal/journal.js";
import { contentAt, atPath, whoIs } from "../../src/journal/at-path.js";
import { drive } from "../../src/kernel/drive.js";
import { Mounts } from "../../src/kernel/mounts.js";
import { NetworkThreads } from "../../src/kernel/network.js";
import {
  chmod,
  close,
  fsync,
  inFolder,
  mkdir,
  open,
  put,
  rename,
  unlink,
  type Bytes,
  type Steps,
} from "../../src/kernel/syscalls.js";
import { Executed } from "../../src/path/executed.js";
import { toBytes } from "../../src/path/names.js";
import { plantTree } from "../../src/path/plant.js";
import type { Spot, Tree } from "../../src/path/walk.js";
import { createLocks } from "../../src/state/locks.js";
import type { Temps } from "../../src/state/temps.js";
import { sha256OfBytes } from "../../src/write/content-hash.js";
import { withEntry, withOpen } from "../../src/write/open-entry.js";
import { freshDir } from "../tree.js";
import { constants, mkdirSync } from "node:fs";

export interface Desk {
  /** The only root. */
  readonly root: string;
  /** The journal's folder. */
  readonly dir: string;
  readonly journal: OpenJournal;
  readonly tree: Tree;
  run<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T>;
}

export const MiB = 1024 * 1024;
export const OWNER = { owner: "me", session: "s1" } as const;

export function deskAt(base: string, options: Partial<JournalOptions> & { readonly root?: string } = {}): Desk {
  const root = options.root ?? join(base, "root");
  mkdirSync(root, { recursive: true });
  const dir = join(base, "data", "undo");
  const network = new NetworkThreads({ timeoutMs: 5000, threads: 4 });
  const { tree, uproot } = plantTree(
    { roots: [root], home: "/nonexistent-home", homes: [], privatePaths: [join(base, "data")] },
    new Mounts(),
  );
  const journal = createJournal({
    dir,
    enabled: true,
    maxBytes: 64 * MiB,
    maxAgeHours: 72,
    minFree: 0,
    tree,
    executed: new Executed({ homes: [], program: [], allowed: false }),
    temps: temps(),
    locks: createLocks({ dir: null, waitMs: 1000 }),
    network,
    ...options,
  });
  onTestFinished(() => {
    journal.close();
    void drive(uproot(), network).catch(() => {});
    network.end();
  });
  return { root, dir, journal, tree, run: (steps, signal) => drive(steps, network, signal) };
}

export function freshDesk(options: Parameters<typeof deskAt>[1] = {}): Desk {
  return deskAt(freshDir(), options);
}

let count = 0;

function temps(): Temps {
  return { name: () => `.temp-${process.pid}-${count++}`, done: () => {} };
}

export function begin(desk: Desk, facts: Partial<ChangeFacts> = {}): Change {
  return desk.journal.begin({ ...OWNER, kind: "write", paths: [], ...facts });
}

/** A change of one or more steps, as the tools make them. */
export async function changed(
  desk: Desk,
  steps: (change: Change) => Steps<unknown>,
  facts: Partial<ChangeFacts> = {},
): Promise<string> {
  const change = begin(desk, facts);
  await desk.run(steps(change));
  const { undo, undo_reason } = await desk.run(change.finish());
  if (undo === null) throw new Error(`it cannot be undone: ${undo_reason}`);
  return undo.id;
}

export function at<T>(desk: Desk, name: string, work: (spot: Spot) => Steps<T>): Steps<T> {
  return atPath(desk.tree, pathOf(desk, name), work);
}

/** `name` is bytes already. */
export function pathOf(desk: Desk, name: string): Bytes {
  return `${toBytes(desk.root)}/${name}`;
}

/** A temporary file and a rename, as a rewrite is made. */
export function* rewrite(desk: Desk, change: Change, name: string, text: string | Buffer): Steps<void> {
  const bytes = Buffer.from(text);
  yield* at(desk, name, function* (spot) {
    const temp = yield* writeTemp(spot, bytes);
    const found = spot.found as NonNullable<Spot["found"]>;
    const before = yield* withEntry(spot, (entry) => change.keep(entry, found, { at: spot }));
    change.note({ did: "rewrote", path: spot.real, before, after: markOf(bytes) });
    yield* rename(spot.parent.mount, temp, inFolder(spot.parent, spot.name));
  });
}

export function* create(desk: Desk, change: Change, name: string, text: string | Buffer): Steps<void> {
  const bytes = Buffer.from(text);
  yield* at(desk, name, function* (spot) {
    const temp = yield* writeTemp(spot, bytes);
    change.note({ did: "created", path: spot.real, after: markOf(bytes) });
    yield* rename(spot.parent.mount, temp, inFolder(spot.parent, spot.name));
  });
}

export function* append(desk: Desk, change: Change, name: string, text: string): Steps<void> {
  yield* at(desk, name, function* (spot) {
    const before = yield* contentAt(spot);
    const all = Buffer.concat([readFileSync(join(desk.root, name)), Buffer.from(text)]);
    change.note({ did: "appended", path: spot.real, sizeBefore: before.size, after: markOf(all) });
    yield* withEntry(spot, (entry) =>
      withOpen(entry, constants.O_WRONLY | constants.O_APPEND, (file) => put(file, Buffer.from(text))),
    );
  });
}

export function* makeFolder(desk: Desk, change: Change, name: string): Steps<void> {
  yield* at(desk, name, function* ({ parent, name: last, real }) {
    change.note({ did: "made folder", path: real });
    yield* mkdir(parent.mount, inFolder(parent, last));
  });
}

export function* move(desk: Desk, change: Change, from: string, to: string): Steps<void> {
  yield* at(desk, from, (source) =>
    at(desk, to, function* (target) {
      const who = whoIs(source.found as NonNullable<Spot["found"]>);
      change.note({ did: "moved", from: source.real, to: target.real, who });
      const [old, now] = [inFolder(source.parent, source.name), inFolder(target.parent, target.name)];
      yield* rename(source.parent.mount, old, now);
    }),
  );
}

/** By a rename into the journal; false where the journal has no room for it. */
export function* remove(desk: Desk, change: Change, name: string, bytes = 1000): Steps<boolean> {
  return yield* at(desk, name, function* ({ parent, name: last, real, found }) {
    const place = yield* change.placeFor(bytes);
    if (place === null) return false;
    change.note({ did: "removed", path: real, kept: place.kept, who: whoIs(found as NonNullable<typeof found>) });
    yield* rename(parent.mount, inFolder(parent, last), place.path);
    return true;
  });
}

/** A regular file, as a diff removes it. */
export function* deleteFile(desk: Desk, change: Change, name: string): Steps<void> {
  yield* at(desk, name, function* (spot) {
    const found = spot.found as NonNullable<Spot["found"]>;
    const before = yield* withEntry(spot, (entry) => change.keep(entry, found, { at: spot }));
    change.note({ did: "deleted", path: spot.real, before });
    yield* unlink(spot.parent.mount, inFolder(spot.parent, spot.name));
  });
}

function* writeTemp(spot: Spot, bytes: Buffer): Steps<Bytes> {
  const path = inFolder(spot.parent, `.new-${process.pid}-${count++}`);
  const file = yield* open(null, path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  try {
    yield* put(file, bytes);
    yield* fsync(file);
  } finally {
    yield* close(file);
  }
  return path;
}

function markOf(bytes: Buffer): { sha256: string; size: number } {
  return { sha256: sha256OfBytes(bytes), size: bytes.length };
}

/** The other of two modes. */
export function* setMode(desk: Desk, change: Change, name: string, mode: number): Steps<void> {
  yield* at(desk, name, function* (spot) {
    const before = Number((spot.found as NonNullable<Spot["found"]>).mode & 0o7777n);
    change.note({ did: "set mode", path: spot.real, before, after: mode });
    yield* withEntry(spot, (entry) => withOpen(entry, constants.O_RDONLY, (file) => chmod(file, mode)));
  });
}

/** A copy of a file or of a flat folder. */
export function* copy(desk: Desk, change: Change, from: string, to: string): Steps<void> {
  yield* at(desk, to, function* ({ parent, name }) {
    const temp = join(desk.root, `.copy-${count++}`);
    cpSync(join(desk.root, from), temp, { recursive: true, preserveTimestamps: true });
    const { dev, ino } = lstatSync(temp, { bigint: true });
    change.note({ did: "copied", to: pathOf(desk, to), who: { dev: String(dev), ino: String(ino) } });
    yield* rename(parent.mount, toBytes(temp), inFolder(parent, name));
  });
}

export interface Facts {
  readonly mode: string;
  readonly owner: string;
  /** In units of ten microseconds: that much of a time comes back. */
  readonly mtime: number;
  readonly content?: string;
  readonly target?: string;
}

/** All that a tree is, by paths whose bytes are one character each. */
export function photograph(dir: string, below = ""): Record<string, Facts> {
  const real = (path: string): Buffer => Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(path, "latin1")]);
  const all: Record<string, Facts> = {};
  for (const name of readdirSync(real(below), "latin1").toSorted()) {
    const path = join(below, name);
    const stat = lstatSync(real(path), { bigint: true });
    all[path] = {
      mode: (stat.mode & 0o177777n).toString(8),
      owner: `${stat.uid}:${stat.gid}`,
      mtime: Math.round(Number(stat.mtimeNs) / 1e4),
      ...(stat.isFile() ? { content: readFileSync(real(path), "latin1") } : {}),
      ...(stat.isSymbolicLink() ? { target: readlinkSync(real(path)) } : {}),
    };
    if (stat.isDirectory()) Object.assign(all, photograph(dir, path));
  }
  return all;
}

/** What lies in the journal's folder, by kind. */
export function inventory(dir: string): string[] {
  const short = (name: string): string => (name.startsWith("U_") ? `U${name.slice(44)}` : name);
  const listed = (folder: string): string[] => {
    try {
      return readdirSync(folder).map(short).toSorted();
    } catch {
      return [];
    }
  };
  return [
    ...listed(dir).filter((name) => name !== "trash"),
    ...listed(join(dir, "trash")).map((name) => `trash/${name}`),
  ];
}
