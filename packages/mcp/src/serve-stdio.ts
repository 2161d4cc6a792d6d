import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { OpsError } from "@llmc/errors";
import { createEndpoint } from "./endpoint/endpoint.js";
import { timingOf, type McpOptions } from "./protocol/options.js";
import { bind } from "./sdk/bind.js";
import { createLineTransport } from "./sdk/stdio-transport.js";
import { createFrames, type Frame } from "./stdio/frames.js";
import { createWriter, type Writer } from "./stdio/writer.js";

export interface StdioOptions extends McpOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Whose handles and undo entries these are: `user:<uid>`. */
  readonly owner: string;
  readonly signal?: AbortSignal;
}

/** Lines handled before the event loop gets a turn: a chunk can hold tens of thousands. */
const LINES_A_TURN = 200;

/** Resolves when stdin has closed, nobody reads stdout or the signal aborted, and the calls in flight came to an end. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { stdin, stdout, owner, signal, settings } = options;
  const timing = timingOf(options);
  const { max_stdio_bytes } = settings.mcp.limits;
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort();
    stdin.destroy();
  };
  const writer = createWriter({ stdout, maxWaitingBytes: max_stdio_bytes, onEnd: stop });
  const transport = createLineTransport(writer, max_stdio_bytes);
  const connection = { id: randomUUID(), entry: "stdio", token: "local", owner } as const;
  const bound = await bind({
    endpoint: createEndpoint(options),
    transport,
    connection: () => connection,
    onClient: options.onClient,
  });

  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  await readAll(stdin, { maxBytes: max_stdio_bytes, writer, receive: transport.receive });
  signal?.removeEventListener("abort", stop);

  await bound.running.settled(timing.drainMs, stopped.signal);
  await bound.cancel(timing.graceMs);
  await Promise.race([writer.flushed(), delay(timing.graceMs, undefined, { ref: false })]);
  await bound.close();
}

interface Reading {
  readonly maxBytes: number;
  readonly writer: Writer;
  readonly receive: (frame: Frame) => void;
}

/** Resolves at the end of stdin. By events: an iterator costs each line several turns of the microtask queue. */
function readAll(stdin: Readable, { maxBytes, writer, receive }: Reading): Promise<void> {
  const frames = createFrames(maxBytes);
  let lines = 0;

  /** False where others are to have a turn before the rest. */
  function take(rest: Iterator<Frame>): boolean {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      receive(next.value);
      lines += 1;
      if (lines % LINES_A_TURN === 0) return false;
    }
    return true;
  }

  async function takeLater(rest: Iterator<Frame>): Promise<void> {
    do await nextTurn();
    while (!take(rest));
    await writer.room();
  }

  return new Promise((resolve, reject) => {
    let busy: Promise<void> = Promise.resolve();
    const read = (chunk: Buffer): void => {
      const rest = frames.push(chunk)[Symbol.iterator]();
      const isTaken = take(rest);
      if (isTaken && writer.hasRoom()) return;
      stdin.pause();
      busy = (isTaken ? writer.room() : takeLater(rest)).then(() => void stdin.resume());
      busy.catch(reject);
    };
    stdin.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (thrown) {
        reject(OpsError.from(thrown));
      }
    });
    // However stdin comes to its end, by the parent's death or by our own stop: it is the end.
    for (const end of ["end", "close", "error"]) stdin.once(end, () => void busy.then(resolve, reject));
  });
}
