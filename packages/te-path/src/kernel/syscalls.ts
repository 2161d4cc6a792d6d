import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  statfsSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { BigIntStats, Dir } from "node:fs";
import type { Bytes } from "@llmc/names";
import { enterListing as enterListingOf, type EnteredListing } from "./enter-listing.js";
import { listAtOnce as listAllAtOnce, listSome, openListing, type Listed } from "./listing.js";
import { lstatMany as lookAtAll, type Looked, type Unseen } from "./lstat-many.js";
import { sniffMany as peekIntoAll, type Sniffed } from "./sniff-text.js";
import { PROC_FD } from "./proc-fd.js";

export interface Stat {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
  readonly nlink: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly size: bigint;
  /** Room it takes on the disk, in blocks of 512 bytes. */
  readonly blocks: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** When the inode was made; 0 where the file system does not know. With its number, that names it for good. */
  readonly birthNs?: bigint;
}

/** An open descriptor, and the network mount that its calls may hang on (null: local). */
export interface Descriptor {
  readonly fd: number;
  readonly mount: Bytes | null;
  /** Of a folder: it was opened for reading, so that an fsync takes it as it is. */
  readonly canSync?: boolean;
}

export interface Syscall {
  readonly mount: Bytes | null;
  readonly name: keyof typeof KERNEL;
  readonly args: readonly (string | number)[];
  /** Where a read puts its bytes. */
  readonly into?: Uint8Array;
  /** What a write takes its bytes from. */
  readonly from?: Uint8Array;
  /** The local disk on which an fsync has little to write. */
  readonly disk?: bigint | undefined;
  /** A folder that is being listed piece by piece. */
  readonly listing?: Dir;
  /** What this thread does meanwhile, where another one makes the call. Must not throw. */
  readonly meanwhile?: (() => void) | undefined;
  /** Made even after the caller has gone: what puts things in order again. */
  readonly steady?: boolean;
  /** Starts the computation of a wait. */
  readonly until?: () => Promise<unknown>;
}

/**
 * Work written once as the system calls it makes. Whoever drives it decides where each call runs: here and now,
 * in the thread pool, or in a thread that can be given up because a mount does not answer.
 */
export type Work<T> = Generator<Syscall, T, unknown>;

const buffer = (path: string | number | undefined): Buffer => Buffer.from(path as string, "latin1");
const facts = ({
  dev,
  ino,
  mode,
  nlink,
  uid,
  gid,
  size,
  blocks,
  mtimeNs,
  ctimeNs,
  birthtimeNs,
}: BigIntStats): Stat => ({
  dev,
  ino,
  mode,
  nlink,
  uid,
  gid,
  size,
  blocks,
  mtimeNs,
  ctimeNs,
  birthNs: birthtimeNs,
});
const known = (stats: BigIntStats | undefined): Stat | undefined => stats && facts(stats);

const KERNEL = {
  open: ({ args: [path, flags, mode] }: Syscall) => openSync(buffer(path), flags as number, mode),
  close: ({ args: [fd] }: Syscall) => closeSync(fd as number),
  fstat: ({ args: [fd] }: Syscall) => facts(fstatSync(fd as number, { bigint: true })),
  stat: ({ args: [path] }: Syscall) => known(statSync(buffer(path), { bigint: true, throwIfNoEntry: false })),
  lstat: ({ args: [path] }: Syscall) => known(lstatSync(buffer(path), { bigint: true, throwIfNoEntry: false })),
  readlink: ({ args: [path] }: Syscall) => readlinkSync(buffer(path), "latin1"),
  readdir: ({ args: [path] }: Syscall) => readdirSync(buffer(path), "latin1"),
  lookAll: ({ args: [folder, ...names] }: Syscall) => lookAtAll(folder as string, names as string[]),
  peekAll: ({ args: [folder, ...names] }: Syscall) => peekIntoAll(folder as number, names as string[]),
  listAtOnce: ({ args: [path] }: Syscall) => listAllAtOnce(path as string),
  enterListing: ({ args: [folder, name, flags] }: Syscall) =>
    enterListingOf(folder as number, name as string, flags as number),
  openListing: ({ args: [path] }: Syscall) => openListing(path as string),
  list: ({ listing }: Syscall) => listSome(listing as Dir),
  closeListing: ({ listing }: Syscall) => (listing as Dir).closeSync(),
  read: ({ args: [fd, length, position], into }: Syscall) =>
    readSync(fd as number, into as Uint8Array, 0, length as number, position as number),
  write: ({ args: [fd, position], from }: Syscall) =>
    // -1: where the descriptor stands; one that was opened with O_APPEND writes at the end.
    writeSync(fd as number, from as Uint8Array, 0, undefined, position === -1 ? null : (position as number)),
  fsync: ({ args: [fd] }: Syscall) => fsyncSync(fd as number),
  truncate: ({ args: [fd, size] }: Syscall) => ftruncateSync(fd as number, size as number),
  fchmod: ({ args: [fd, mode] }: Syscall) => fchmodSync(fd as number, mode as number),
  fchown: ({ args: [fd, uid, gid] }: Syscall) => fchownSync(fd as number, uid as number, gid as number),
  lchown: ({ args: [path, uid, gid] }: Syscall) => lchownSync(buffer(path), uid as number, gid as number),
  // Seconds; what is below a microsecond is lost.
  futimes: ({ args: [fd, seconds] }: Syscall) => futimesSync(fd as number, seconds as number, seconds as number),
  lutimes: ({ args: [path, seconds] }: Syscall) => lutimesSync(buffer(path), seconds as number, seconds as number),
  rename: ({ args: [from, to] }: Syscall) => renameSync(buffer(from), buffer(to)),
  link: ({ args: [from, to] }: Syscall) => linkSync(buffer(from), buffer(to)),
  symlink: ({ args: [target, path] }: Syscall) => symlinkSync(buffer(target), buffer(path)),
  unlink: ({ args: [path] }: Syscall) => unlinkSync(buffer(path)),
  mkdir: ({ args: [path, mode] }: Syscall) => mkdirSync(buffer(path), mode),
  rmdir: ({ args: [path] }: Syscall) => rmdirSync(buffer(path)),
  mayWrite: ({ args: [path] }: Syscall) => accessSync(buffer(path), constants.W_OK),
  statfs: ({ args: [path] }: Syscall) => {
    const { bsize, blocks, bavail } = statfsSync(buffer(path));
    return { total: bsize * blocks, free: bsize * bavail };
  },
  wait: (): never => {
    throw new Error("only drive() can wait for a promise");
  },
};

/** Makes one call in this thread. */
export function perform(call: Syscall): unknown {
  return KERNEL[call.name](call);
}

/** `mode` is what a file that is made gets, less the umask. */
export function* open(mount: Bytes | null, path: Bytes, flags: number, mode = 0o600): Work<Descriptor> {
  return { fd: (yield { mount, name: "open", args: [path, flags, mode] }) as number, mount };
}

export function* close({ fd, mount }: Descriptor): Work<void> {
  yield { mount, name: "close", args: [fd] };
}

export function* fstat({ fd, mount }: Descriptor): Work<Stat> {
  return (yield { mount, name: "fstat", args: [fd] }) as Stat;
}

/** Undefined where nothing is; follows links, so never for a path that a caller chose. */
export function* stat(mount: Bytes | null, path: Bytes): Work<Stat | undefined> {
  return (yield { mount, name: "stat", args: [path] }) as Stat | undefined;
}

export function* lstat(mount: Bytes | null, path: Bytes): Work<Stat | undefined> {
  return (yield { mount, name: "lstat", args: [path] }) as Stat | undefined;
}

export function* readlink(mount: Bytes | null, path: Bytes): Work<Bytes> {
  return (yield { mount, name: "readlink", args: [path] }) as Bytes;
}

export function* readdir(mount: Bytes | null, path: Bytes): Work<readonly Bytes[]> {
  return (yield { mount, name: "readdir", args: [path] }) as readonly Bytes[];
}

/** All that a folder holds, where that is few; undefined where it can be told only some at a time. */
export function* listAtOnce({ fd, mount }: Descriptor): Work<Listed[] | undefined> {
  return (yield { mount, name: "listAtOnce", args: [`${PROC_FD}/${fd}`] }) as Listed[] | undefined;
}

/** Into a folder of this machine and what it holds, in one go. */
export function* enterListing(parent: Descriptor, name: Bytes, flags: number): Work<EnteredListing> {
  return (yield { mount: null, name: "enterListing", args: [parent.fd, name, flags] }) as EnteredListing;
}

/** What stands under each of some names of a folder; undefined where nothing does. */
export function* lstatMany(
  folder: Descriptor,
  names: readonly Bytes[],
): Work<readonly (Looked | Unseen | undefined)[]> {
  const args = [`${PROC_FD}/${folder.fd}`, ...names];
  return (yield { mount: folder.mount, name: "lookAll", args }) as (Looked | Unseen | undefined)[];
}

/** What files of a folder of this machine hold, by their first 8 KiB; undefined: gone, or no file. */
export function* sniffMany(
  folder: Descriptor,
  names: readonly Bytes[],
): Work<readonly (Sniffed | "unreadable" | undefined)[]> {
  return (yield { mount: null, name: "peekAll", args: [folder.fd, ...names] }) as (
    | Sniffed
    | "unreadable"
    | undefined
  )[];
}

/** Fills `into` from `position` on; fewer bytes only at the end of the file. */
export function* fill({ fd, mount }: Descriptor, into: Uint8Array, position: number): Work<number> {
  let filled = 0;
  while (filled < into.length) {
    const rest = into.subarray(filled);
    const args = [fd, rest.length, position + filled];
    const count = (yield { mount, name: "read", args, into: rest }) as number;
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** All of it, from `position` on; without one where the descriptor stands. */
export function* put({ fd, mount }: Descriptor, from: Uint8Array, position = -1, meanwhile?: () => void): Work<void> {
  let done = 0;
  while (done < from.length) {
    const at = position === -1 ? -1 : position + done;
    const first = done === 0 ? meanwhile : undefined;
    done += (yield { mount, name: "write", args: [fd, at], from: from.subarray(done), meanwhile: first }) as number;
  }
}

/** One write call and no other; how much it took. */
export function* putOnce({ fd, mount }: Descriptor, from: Uint8Array): Work<number> {
  return (yield { mount, name: "write", args: [fd, -1], from }) as number;
}

/** `disk` is the device number, where there is little to write: it need not take the thread pool if that is quick. */
export function* fsync({ fd, mount }: Descriptor, disk?: bigint, meanwhile?: () => void): Work<void> {
  yield { mount, name: "fsync", args: [fd], disk, meanwhile };
}

export function* truncate({ fd, mount }: Descriptor, size: number): Work<void> {
  yield { mount, name: "truncate", args: [fd, size] };
}

export function* chmod({ fd, mount }: Descriptor, mode: number): Work<void> {
  yield { mount, name: "fchmod", args: [fd, mode] };
}

export function* chown({ fd, mount }: Descriptor, uid: number, gid: number): Work<void> {
  yield { mount, name: "fchown", args: [fd, uid, gid] };
}

/** Of a link itself. */
export function* chownLink(mount: Bytes | null, path: Bytes, uid: number, gid: number): Work<void> {
  yield { mount, name: "lchown", args: [path, uid, gid] };
}

export function* setTime({ fd, mount }: Descriptor, mtimeNs: bigint): Work<void> {
  yield { mount, name: "futimes", args: [fd, secondsOf(mtimeNs)] };
}

// Node hands the kernel whole microseconds, and cuts off the rest: from the middle of one no rounding leads out of it.
function secondsOf(ns: bigint): number {
  return (Number(ns / 1000n) + 0.5) / 1e6;
}

/** Of a link itself. */
export function* setLinkTime(mount: Bytes | null, path: Bytes, mtimeNs: bigint): Work<void> {
  yield { mount, name: "lutimes", args: [path, secondsOf(mtimeNs)] };
}

export function* rename(mount: Bytes | null, from: Bytes, to: Bytes): Work<void> {
  yield { mount, name: "rename", args: [from, to] };
}

/** A second name; fails where the name is taken, and does not follow a link. */
export function* link(mount: Bytes | null, from: Bytes, to: Bytes): Work<void> {
  yield { mount, name: "link", args: [from, to] };
}

export function* symlink(mount: Bytes | null, target: Bytes, path: Bytes): Work<void> {
  yield { mount, name: "symlink", args: [target, path] };
}

export function* unlink(mount: Bytes | null, path: Bytes): Work<void> {
  yield { mount, name: "unlink", args: [path] };
}

export function* mkdir(mount: Bytes | null, path: Bytes, mode = 0o777): Work<void> {
  yield { mount, name: "mkdir", args: [path, mode] };
}

export function* rmdir(mount: Bytes | null, path: Bytes): Work<void> {
  yield { mount, name: "rmdir", args: [path] };
}

/** Throws what a write would. */
export function* mayWrite({ fd, mount }: Descriptor): Work<void> {
  yield { mount, name: "mayWrite", args: [`${PROC_FD}/${fd}`] };
}

/** Bytes of the file system, and those that are free for us. */
export function* statfs(mount: Bytes | null, path: Bytes): Work<{ readonly total: number; readonly free: number }> {
  return (yield { mount, name: "statfs", args: [path] }) as { total: number; free: number };
}

/** Waits for a computation between two system calls. The work keeps its locks and descriptors meanwhile. */
export function* waitFor<T>(until: () => Promise<T>): Work<T> {
  return (yield { mount: null, name: "wait", args: [], until }) as T;
}

/** The same work, made to the end even when the caller has gone. */
export function* steadily<T>(work: Work<T>): Work<T> {
  let step = work.next();
  while (!step.done) {
    let value: unknown;
    try {
      value = yield { ...step.value, steady: true };
    } catch (thrown) {
      step = work.throw(thrown);
      continue;
    }
    step = work.next(value);
  }
  return step.value;
}

/** The path of `name` in a folder that is held open: no other part of the tree can be swapped in between. */
export function inFolder(folder: Descriptor, name: Bytes): Bytes {
  return `${PROC_FD}/${folder.fd}/${name}`;
}

export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((thrown as NodeJS.ErrnoException | null)?.code ?? "");
}
