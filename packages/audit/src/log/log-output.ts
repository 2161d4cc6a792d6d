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

interface Target {
  readonly fd: number;
  /** Before each write, where the flag is not ours alone. */
  readonly prepare: () => void;
}

/** How many bytes went out: 0 where the reader is behind, null where there is none any more. */
function tryWrite({ fd, prepare }: Target, chunk: Buffer): number | null {
  try {
    prepare();
    return writeSync(fd, chunk);
  } catch (thrown) {
    return FOR_NOW.has((thrown as NodeJS.ErrnoException).code ?? "") ? 0 : null;
  }
}

// A reader that is behind, a disk that may have room again.
const FOR_NOW = new Set(["EAGAIN", "EINTR", "ENOSPC", "EDQUOT", "EFBIG"]);

/**
 * The same pipe or terminal without blocking writes. It is opened anew, because the flag belongs to the open
 * description that parent and children share. A file never blocks, and opened anew it would lose its position.
 */
function nonBlocking(fd: number): Target {
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO() || stat.isCharacterDevice()) {
      const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
      return { fd: openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY), prepare: () => {} };
    }
    if (stat.isSocket() && fd === 2) return { fd, prepare: unblockStderr };
  } catch {
    // No /proc, or not ours to open: then it stays as it is, and blocks.
  }
  return { fd, prepare: () => {} };
}

/**
 * A socket cannot be opened anew (a parent that is Node gives one), so the shared flag is set before each write: any
 * child that inherits stderr takes it away again when libuv starts it. Only the handle of Node's own stream can do it.
 */
function unblockStderr(): void {
  const { _handle: handle } = process.stderr as { _handle?: { setBlocking?: (blocking: boolean) => void } };
  handle?.setBlocking?.(false);
}
