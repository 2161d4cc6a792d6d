import { closeSync, fstatSync, lstatSync, openSync, readSync, readdirSync, readlinkSync, statSync } from "node:fs";
import type { BigIntStats } from "node:fs";

/** A path as its bytes, one latin1 character each: names need not be UTF-8, and such strings still split and compare. */
export type Bytes = string;

export interface Stat {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mode: bigint;
  readonly nlink: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** An open descriptor, and the network mount that its calls may hang on (null: local). */
export interface Descriptor {
  readonly fd: number;
  readonly mount: Bytes | null;
}

export interface Syscall {
  readonly mount: Bytes | null;
  readonly name: keyof typeof KERNEL;
  readonly args: readonly (string | number)[];
  /** Where a read puts its bytes. */
  readonly into?: Uint8Array;
}

/**
 * Work written once as the system calls it makes. Whoever drives it decides where each call runs: here and now,
 * in the thread pool, or in a thread that can be given up because a mount does not answer.
 */
export type Steps<T> = Generator<Syscall, T, unknown>;

const buffer = (path: string | number | undefined): Buffer => Buffer.from(path as string, "latin1");
const facts = ({ dev, ino, mode, nlink, size, mtimeNs, ctimeNs }: BigIntStats): Stat => ({
  dev,
  ino,
  mode,
  nlink,
  size,
  mtimeNs,
  ctimeNs,
});
const known = (stats: BigIntStats | undefined): Stat | undefined => stats && facts(stats);

const KERNEL = {
  open: ({ args: [path, flags] }: Syscall) => openSync(buffer(path), flags as number, 0o600),
  close: ({ args: [fd] }: Syscall) => closeSync(fd as number),
  fstat: ({ args: [fd] }: Syscall) => facts(fstatSync(fd as number, { bigint: true })),
  stat: ({ args: [path] }: Syscall) => known(statSync(buffer(path), { bigint: true, throwIfNoEntry: false })),
  lstat: ({ args: [path] }: Syscall) => known(lstatSync(buffer(path), { bigint: true, throwIfNoEntry: false })),
  readlink: ({ args: [path] }: Syscall) => readlinkSync(buffer(path), "latin1"),
  readdir: ({ args: [path] }: Syscall) => readdirSync(buffer(path), "latin1"),
  read: ({ args: [fd, length, position], into }: Syscall) =>
    readSync(fd as number, into as Uint8Array, 0, length as number, position as number),
};

/** Makes one call in this thread. */
export function perform(call: Syscall): unknown {
  return KERNEL[call.name](call);
}

export function* open(mount: Bytes | null, path: Bytes, flags: number): Steps<Descriptor> {
  return { fd: (yield { mount, name: "open", args: [path, flags] }) as number, mount };
}

export function* close({ fd, mount }: Descriptor): Steps<void> {
  yield { mount, name: "close", args: [fd] };
}

export function* fstat({ fd, mount }: Descriptor): Steps<Stat> {
  return (yield { mount, name: "fstat", args: [fd] }) as Stat;
}

/** Undefined where nothing is; follows links, so never for a path that a caller chose. */
export function* stat(mount: Bytes | null, path: Bytes): Steps<Stat | undefined> {
  return (yield { mount, name: "stat", args: [path] }) as Stat | undefined;
}

export function* lstat(mount: Bytes | null, path: Bytes): Steps<Stat | undefined> {
  return (yield { mount, name: "lstat", args: [path] }) as Stat | undefined;
}

export function* readlink(mount: Bytes | null, path: Bytes): Steps<Bytes> {
  return (yield { mount, name: "readlink", args: [path] }) as Bytes;
}

export function* readdir(mount: Bytes | null, path: Bytes): Steps<readonly Bytes[]> {
  return (yield { mount, name: "readdir", args: [path] }) as readonly Bytes[];
}

/** Fills `into` from `position` on; fewer bytes only at the end of the file. */
export function* fill({ fd, mount }: Descriptor, into: Uint8Array, position: number): Steps<number> {
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

/** The path of `name` in a folder that is held open: no other part of the tree can be swapped in between. */
export function inFolder(folder: Descriptor, name: Bytes): Bytes {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((thrown as NodeJS.ErrnoException | null)?.code ?? "");
}
