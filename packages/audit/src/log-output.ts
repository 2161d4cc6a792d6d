import { constants, fstatSync, openSync, writeSync } from "node:fs";

export interface LogOutput {
  write(line: string): void;
  flush(): void;
}

const QUEUE_BYTES = 1024 * 1024;
const RETRY_MS = 20;
const LONGEST_RETRY_MS = 1_000;

/**
 * Lines to a descriptor, at once where it takes them. A reader that stopped reading must not stop the server: what
 * does not fit waits in a bounded queue, and what does not fit there is counted and reported when there is room.
 */
export function openLogOutput(fd: number, lost: (lines: number) => string): LogOutput {
  const target = nonBlocking(fd);
  let queue: Buffer[] = [];
  let bytes = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let wait = RETRY_MS;

  function write(line: string): void {
    if (bytes >= QUEUE_BYTES) {
      dropped += 1;
      return;
    }
    push(line);
    if (timer === undefined) drain();
  }

  function push(line: string): void {
    const chunk = Buffer.from(line);
    queue.push(chunk);
    bytes += chunk.length;
  }

  function drain(): void {
    let next = 0;
    while (next < queue.length) {
      const chunk = queue[next] as Buffer;
      const written = tryWrite(target, chunk);
      if (written === null) return giveUp();
      bytes -= written;
      if (written < chunk.length) {
        // The rest of this line comes first, whatever waits behind it.
        queue[next] = chunk.subarray(written);
        break;
      }
      next += 1;
      wait = RETRY_MS;
    }
    queue = queue.slice(next);
    if (queue.length > 0) return later();
    if (dropped === 0) return;
    const notice = lost(dropped);
    dropped = 0;
    push(notice);
    drain();
  }

  function later(): void {
    timer = setTimeout(() => {
      timer = undefined;
      drain();
    }, wait).unref();
    wait = Math.min(wait * 2, LONGEST_RETRY_MS);
  }

  /** There is no reader: a closed pipe. Nothing waits for one, but a named pipe may get another. */
  function giveUp(): void {
    dropped += queue.length;
    queue = [];
    bytes = 0;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    drain();
  }

  return { write, flush };
}

/** How many bytes went out: 0 where the reader is behind, null where there is none any more. */
function tryWrite(fd: number, chunk: Buffer): number | null {
  try {
    return writeSync(fd, chunk);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // A full disk may have room again.
    return code === "EAGAIN" || code === "ENOSPC" || code === "EFBIG" || code === "EDQUOT" || code === "EINTR"
      ? 0
      : null;
  }
}

/**
 * The same pipe or terminal without blocking writes. A pipe is opened anew, because the flag belongs to the open
 * description that parent and children share. A file never blocks, and opened anew it would lose its position.
 */
function nonBlocking(fd: number): number {
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO() || stat.isCharacterDevice()) {
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    }
    // A socket cannot be opened anew (a parent that is Node gives one): Node's own stream makes it non-blocking.
    if (stat.isSocket() && fd === 2) process.stderr.on("error", () => {});
  } catch {
    // No /proc, or not ours to open: then it stays as it is, and blocks.
  }
  return fd;
}
