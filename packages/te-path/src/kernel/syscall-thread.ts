import { Worker } from "node:worker_threads";
import type { Syscall } from "./syscalls.js";

export type Reply = { readonly value: unknown } | { readonly error: Error };

/** A thread that makes one system call after the other, in the order in which they were sent. A read's reply is its bytes. */
export interface SyscallThread {
  send(call: Syscall, reply: (reply: Reply) => void): void;
  /** Calls sent and not yet answered. */
  readonly owed: number;
  /** Calls back once the thread runs: its start is nobody's fault. */
  whenReady(callback: () => void): void;
  /** Whether the process is kept alive for it. */
  hold(held: boolean): void;
  end(): void;
}

// Plain JavaScript in a string, so that it runs the same from sources, from dist and from a bundle. Descriptors belong to
// the process, not the thread: one that is opened here is read, walked from and closed anywhere.
const CODE = `
const fs = require("node:fs");
const { parentPort } = require("node:worker_threads");
const path = (latin1) => Buffer.from(latin1, "latin1");
const facts = (s) => s && { dev: s.dev, ino: s.ino, mode: s.mode, nlink: s.nlink, uid: s.uid, gid: s.gid, size: s.size, blocks: s.blocks, mtimeNs: s.mtimeNs, ctimeNs: s.ctimeNs, birthNs: s.birthtimeNs };
const kernel = {
  open: (name, flags, mode) => fs.openSync(path(name), flags, mode),
  close: (fd) => fs.closeSync(fd),
  fstat: (fd) => facts(fs.fstatSync(fd, { bigint: true })),
  stat: (name) => facts(fs.statSync(path(name), { bigint: true, throwIfNoEntry: false })),
  lstat: (name) => facts(fs.lstatSync(path(name), { bigint: true, throwIfNoEntry: false })),
  readlink: (name) => fs.readlinkSync(path(name), "latin1"),
  readdir: (name) => fs.readdirSync(path(name), "latin1"),
  lookAll: (folder, ...names) => names.map((name) => {
    try {
      const at = path(folder + "/" + name);
      const stat = facts(fs.lstatSync(at, { bigint: true, throwIfNoEntry: false }));
      if (stat === undefined) return undefined;
      if ((stat.mode & 0o170000n) !== 0o120000n) return { stat };
      try {
        return { stat, target: fs.readlinkSync(at, "latin1") };
      } catch {
        return { stat };
      }
    } catch ({ code }) {
      return { code };
    }
  }),
  read: (fd, length, position) => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, position));
  },
  write: (fd, position, from) => fs.writeSync(fd, from, 0, undefined, position === -1 ? null : position),
  fsync: (fd) => fs.fsyncSync(fd),
  truncate: (fd, size) => fs.ftruncateSync(fd, size),
  fchmod: (fd, mode) => fs.fchmodSync(fd, mode),
  fchown: (fd, uid, gid) => fs.fchownSync(fd, uid, gid),
  lchown: (name, uid, gid) => fs.lchownSync(path(name), uid, gid),
  futimes: (fd, seconds) => fs.futimesSync(fd, seconds, seconds),
  lutimes: (name, seconds) => fs.lutimesSync(path(name), seconds, seconds),
  rename: (from, to) => fs.renameSync(path(from), path(to)),
  link: (from, to) => fs.linkSync(path(from), path(to)),
  symlink: (target, name) => fs.symlinkSync(path(target), path(name)),
  unlink: (name) => fs.unlinkSync(path(name)),
  mkdir: (name, mode) => void fs.mkdirSync(path(name), mode),
  rmdir: (name) => fs.rmdirSync(path(name)),
  mayWrite: (name) => fs.accessSync(path(name), fs.constants.W_OK),
  statfs: (name) => {
    const { bsize, blocks, bavail } = fs.statfsSync(path(name));
    return { total: bsize * blocks, free: bsize * bavail };
  },
};
parentPort.on("message", ({ name, args, from }) => {
  try {
    const value = kernel[name](...args, from);
    parentPort.postMessage({ value }, name === "read" ? [value.buffer] : []);
  } catch ({ message, code, errno, syscall }) {
    parentPort.postMessage({ failure: { message, code, errno, syscall } });
  }
});
`;

interface Message {
  readonly value?: unknown;
  readonly failure?: { readonly message: string; readonly code?: string };
}

/** `onIdle` is called each time the last owed call was answered, `onGone` when the thread has died. */
export function startSyscallThread(onIdle: () => void, onGone: () => void): SyscallThread {
  const replies: ((reply: Reply) => void)[] = [];
  const worker = new Worker(CODE, {
    eval: true,
    // Nothing of the host program reaches the thread, and its descriptors outlive it.
    env: {},
    execArgv: [],
    trackUnmanagedFds: false,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
  });
  worker.unref();
  let ready = false;
  worker.once("online", () => (ready = true));
  worker.on("message", ({ value, failure }: Message) => {
    replies.shift()?.(
      failure === undefined ? { value } : { error: Object.assign(new Error(failure.message), failure) },
    );
    if (replies.length === 0) onIdle();
  });
  const gone = (): void => {
    onGone();
    const error = Object.assign(new Error("the thread for network mounts has ended"), { code: "EIO" });
    for (const reply of replies.splice(0)) reply({ error });
  };
  worker.on("error", gone);
  worker.on("exit", gone);

  return {
    send({ name, args, from }, reply) {
      replies.push(reply);
      // A view would take all of its buffer along.
      const bytes = from === undefined ? undefined : new Uint8Array(from);
      worker.postMessage({ name, args, from: bytes }, bytes === undefined ? [] : [bytes.buffer]);
    },
    get owed() {
      return replies.length;
    },
    whenReady(callback) {
      if (ready) callback();
      else worker.once("online", callback);
    },
    hold: (held) => (held ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}
