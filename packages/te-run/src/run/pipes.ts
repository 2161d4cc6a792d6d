import { closeSync, constants, openSync, readSync } from "node:fs";
import { mkdtemp, rmdir, unlink } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../find/find-program.js";
import { O_PATH } from "../process/open-flags.js";
import type { Pipe, Pipes } from "../streams/pipe.js";
import { run } from "./run.js";

const COUNT = 4;
const MAKING = { maxBytes: 0, timeoutMs: 10_000, baseEnv: {} };

/** Node can make no pipes. A FIFO without a name is one: each time that nobody holds it, opening it makes a new one. */
export function openPipes(): Pipes {
  const taken = new Set<number>();
  let fifos: readonly number[] = [];
  let making: Promise<void> | undefined;
  let isOver = false;
  const make = async (): Promise<void> => {
    const made = await makeFifos(COUNT).catch(() => []);
    if (isOver) for (const fifo of made) closeSync(fifo);
    else fifos = made;
  };
  return {
    take() {
      if (isOver) return undefined;
      making ??= make();
      const free = fifos.filter((fifo) => !taken.has(fifo));
      for (const fifo of free) {
        const ends = opened(fifo);
        if (ends === undefined) continue;
        taken.add(fifo);
        return pipeOf(ends, () => taken.delete(fifo));
      }
      return undefined;
    },
    close() {
      isOver = true;
      for (const fifo of fifos) closeSync(fifo);
      fifos = [];
    },
  };
}

/** Makes pipes for a single program; fewer if they cannot be made. */
export async function makePipes(count: number): Promise<readonly Pipe[]> {
  const fifos = await makeFifos(count).catch(() => []);
  return fifos.flatMap((fifo) => {
    const ends = opened(fifo);
    closeSync(fifo);
    return ends === undefined ? [] : [pipeOf(ends, () => undefined)];
  });
}

async function makeFifos(count: number): Promise<number[]> {
  const mkfifo = await findProgram("mkfifo");
  if (mkfifo === null) return [];
  const folder = await mkdtemp(join(tmpdir(), "pipes-"));
  const names = Array.from({ length: count }, (_, nth) => join(folder, String(nth)));
  const opened: number[] = [];
  try {
    const { exitCode } = await run([mkfifo, "-m", "600", ...names], MAKING);
    if (exitCode === 0) for (const name of names) opened.push(openSync(name, O_PATH));
  } catch {
    // What was opened serves.
  } finally {
    // Not rm: it would stat the FIFOs, and after a pipe realpathSync of Node 20 no longer follows links it knows.
    await Promise.all(names.map((name) => unlink(name).catch(() => undefined)));
    await rmdir(folder).catch(() => undefined);
  }
  return opened;
}

interface Ends {
  readonly reader: number;
  readonly writer: number;
}

/** Undefined where a program that nothing could end still holds it. */
function opened(fifo: number): Ends | undefined {
  const path = `/proc/self/fd/${fifo}`;
  const ends: number[] = [];
  try {
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    ends.push(reader);
    // Nothing, rather than EAGAIN, says that nobody writes.
    if (readSync(reader, Buffer.alloc(1)) !== 0) throw new Error("somebody writes");
    return { reader, writer: openSync(path, constants.O_WRONLY) };
  } catch {
    for (const end of ends) closeSync(end);
    return undefined;
  }
}

/** The stream is made when the program is on its way, which does not wait for it. */
function pipeOf({ reader, writer }: Ends, onClose: () => void): Pipe {
  return {
    writer,
    given() {
      const stream = new Socket({ fd: reader, readable: true, writable: false });
      stream.once("close", onClose);
      closeSync(writer);
      return stream;
    },
  };
}
