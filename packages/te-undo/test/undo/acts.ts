import { constants, cpSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openChanges, type ChangesOptions, type OpenChanges } from "../../src/undo/open-changes.js";
import type { Change, ChangeFacts } from "../../src/store/change.js";
import { contentAt, atPath, whoIs } from "../../src/undo/at-path.js";
import { drive } from "../../../te-path/src/kernel/drive.js";
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
  type Work,
} from "../../../te-path/src/kernel/syscalls.js";
import type { Bytes } from "../../../names/src/path/bytes.js";
import { openScope } from "../../../te-path/src/scope/open-scope.js";
import { type OpenScope } from "../../../te-path/src/scope/scope.js";
import { toBytes } from "../../../names/src/path/names.js";
import type { Target } from "../../../te-path/src/scope/target.js";
import { createLocks } from "../../src/locks/locks.js";
import type { Temps } from "../../src/temps/temps.js";
import { sha256OfBytes } from "../../../te-path/src/content/content-hash.js";
import { withEntry, withOpen } from "../../../te-path/src/content/open-entry.js";

export interface Desk {
  /** The only root. */
  readonly root: string;
  /** The journal's folder. */
  readonly dir: string;
  readonly journal: OpenChanges;
  readonly scope: OpenScope;
  run<T>(work: Work<T>, signal?: AbortSignal): Promise<T>;
  close(): void;
}

export interface DeskOptions extends Partial<ChangesOptions> {
  readonly root?: string;
  readonly allowExecConfig?: boolean;
}

export const MiB = 1024 * 1024;
export const OWNER = { owner: "me", session: "s1" } as const;

export function openDesk(base: string, options: DeskOptions = {}): Desk {
  const root = options.root ?? join(base, "root");
  mkdirSync(root, { recursive: true });
  const dir = join(base, "data", "undo");
  const scope = openScope({
    roots: [root],
    home: "/nonexistent-home",
    homes: [],
    allowExecConfig: options.allowExecConfig,
    privatePaths: [join(base, "data")],
    keptIn: [dir],
  });
  const changes = openChanges({
    dir,
    enabled: true,
    maxBytes: 64 * MiB,
    maxAgeHours: 72,
    minFree: 0,
    scope,
    temps: temps(),
    locks: createLocks({ dir: null, waitMs: 1000 }),
    ...options,
  });
  const close = (): void => {
    changes.close();
    scope.close();
  };
  return { root, dir, journal: changes, scope, close, run: (work, signal) => drive(work, scope.network, signal) };
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
  work: (change: Change) => Work<unknown>,
  facts: Partial<ChangeFacts> = {},
): Promise<string> {
  const change = begin(desk, facts);
  await desk.run(work(change));
  const { undo, undo_reason } = await desk.run(change.finish());
  if (undo === null) throw new Error(`it cannot be undone: ${undo_reason}`);
  return undo.id;
}

export function at<T>(desk: Desk, name: string, work: (target: Target) => Work<T>): Work<T> {
  return atPath(desk.scope, pathOf(desk, name), work);
}

/** `name` is bytes already. */
export function pathOf(desk: Desk, name: string): Bytes {
  return `${toBytes(desk.root)}/${name}`;
}

/** A temporary file and a rename, as a rewrite is made. */
export function* rewrite(desk: Desk, change: Change, name: string, text: string | Buffer): Work<void> {
  const bytes = Buffer.from(text);
  yield* at(desk, name, function* (target) {
    const temp = yield* writeTemp(target, bytes);
    const found = target.found as NonNullable<Target["found"]>;
    const before = yield* withEntry(target, (entry) => change.keep(entry, found, { at: target }));
    change.note({ did: "rewrote", path: target.real, before, after: markOf(bytes) });
    yield* rename(target.parent.mount, temp, inFolder(target.parent, target.name));
  });
}

export function* create(desk: Desk, change: Change, name: string, text: string | Buffer): Work<void> {
  const bytes = Buffer.from(text);
  yield* at(desk, name, function* (target) {
    const temp = yield* writeTemp(target, bytes);
    change.note({ did: "created", path: target.real, after: markOf(bytes) });
    yield* rename(target.parent.mount, temp, inFolder(target.parent, target.name));
  });
}

export function* append(desk: Desk, change: Change, name: string, text: string): Work<void> {
  yield* at(desk, name, function* (target) {
    const before = yield* contentAt(target);
    const all = Buffer.concat([readFileSync(join(desk.root, name)), Buffer.from(text)]);
    const { sha256: sha256Before, size: sizeBefore } = before;
    change.note({ did: "appended", path: target.real, sizeBefore, sha256Before, after: markOf(all) });
    yield* withEntry(target, (entry) =>
      withOpen(entry, constants.O_WRONLY | constants.O_APPEND, (file) => put(file, Buffer.from(text))),
    );
  });
}

export function* makeFolder(desk: Desk, change: Change, name: string): Work<void> {
  yield* at(desk, name, function* ({ parent, name: last, real }) {
    change.note({ did: "made folder", path: real });
    yield* mkdir(parent.mount, inFolder(parent, last));
  });
}

export function* move(desk: Desk, change: Change, from: string, to: string): Work<void> {
  yield* at(desk, from, (source) =>
    at(desk, to, function* (target) {
      const who = whoIs(source.found as NonNullable<Target["found"]>);
      change.note({ did: "moved", from: source.real, to: target.real, who });
      const [old, now] = [inFolder(source.parent, source.name), inFolder(target.parent, target.name)];
      yield* rename(source.parent.mount, old, now);
    }),
  );
}

/** By a rename into the journal; false where the journal has no room for it. */
export function* remove(desk: Desk, change: Change, name: string, bytes = 1000): Work<boolean> {
  return yield* at(desk, name, function* ({ parent, name: last, real, found }) {
    const place = yield* change.placeFor(bytes);
    if (place === null) return false;
    change.note({ did: "removed", path: real, kept: place.kept, who: whoIs(found as NonNullable<typeof found>) });
    yield* rename(parent.mount, inFolder(parent, last), place.path);
    return true;
  });
}

/** A regular file, as a diff removes it. */
export function* deleteFile(desk: Desk, change: Change, name: string): Work<void> {
  yield* at(desk, name, function* (target) {
    const found = target.found as NonNullable<Target["found"]>;
    const before = yield* withEntry(target, (entry) => change.keep(entry, found, { at: target }));
    change.note({ did: "deleted", path: target.real, before });
    yield* unlink(target.parent.mount, inFolder(target.parent, target.name));
  });
}

function* writeTemp(target: Target, bytes: Buffer): Work<Bytes> {
  const path = inFolder(target.parent, `.new-${process.pid}-${count++}`);
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
export function* setMode(desk: Desk, change: Change, name: string, mode: number): Work<void> {
  yield* at(desk, name, function* (target) {
    const before = Number((target.found as NonNullable<Target["found"]>).mode & 0o7777n);
    change.note({ did: "set mode", path: target.real, before, after: mode });
    yield* withEntry(target, (entry) => withOpen(entry, constants.O_RDONLY, (file) => chmod(file, mode)));
  });
}

/** A copy of a file or of a flat folder. */
export function* copy(desk: Desk, change: Change, from: string, to: string): Work<void> {
  yield* at(desk, to, function* ({ parent, name }) {
    const temp = join(desk.root, `.copy-${count++}`);
    cpSync(join(desk.root, from), temp, { recursive: true, preserveTimestamps: true });
    const { dev, ino } = lstatSync(temp, { bigint: true });
    change.note({ did: "copied", to: pathOf(desk, to), who: { dev: String(dev), ino: String(ino) } });
    yield* rename(parent.mount, toBytes(temp), inFolder(parent, name));
  });
}

export interface Act {
  readonly what: number;
  readonly on: string;
  readonly to: string;
  readonly text: string;
}

export const KINDS_OF_ACTS = 9;
export const NAMES = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "d/e/f", "g", "g/a"];

/** One step, where it can be made; else nothing. */
export function* perform(desk: Desk, change: Change, { what, on, to, text }: Act): Work<unknown> {
  const kind = (name: string): string => {
    const names = name.split("/");
    const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
    const isFolder = (path: string) => lstatSync(join(desk.root, path), { throwIfNoEntry: false })?.isDirectory();
    if (folders.some((each) => isFolder(each) !== true)) return "nowhere";
    const folder = isFolder(name);
    return folder === undefined ? "free" : folder ? "folder" : "file";
  };
  const [here, there] = [kind(on), kind(to)];
  const canMove = here !== "free" && here !== "nowhere" && there === "free" && !to.startsWith(`${on}/`);
  if (what === 0 && here === "free") return yield* create(desk, change, on, text);
  if (what === 1 && here === "free") return yield* makeFolder(desk, change, on);
  if (what === 2 && here === "file") return yield* rewrite(desk, change, on, text);
  if (what === 3 && here === "file" && text !== "") return yield* append(desk, change, on, text);
  if (what === 4 && here === "file") return yield* deleteFile(desk, change, on);
  if (what === 5 && (here === "file" || here === "folder")) return yield* remove(desk, change, on);
  if (what === 6 && canMove) return yield* move(desk, change, on, to);
  if (what === 7 && canMove) return yield* copy(desk, change, on, to);
  if (what === 8 && here === "file") return yield* setMode(desk, change, on, text === "" ? 0o600 : 0o755);
}
