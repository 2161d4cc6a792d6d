import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { createEndpoint } from "../endpoint.js";
import { timingOf, type McpOptions } from "../options.js";
import { bind } from "../sdk/bind.js";
import { createLineTransport } from "../sdk/stdio-transport.js";
import { createFrames, type Frame } from "./frames.js";
import { createWriter } from "./writer.js";

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
  await readAll(stdin, max_stdio_bytes, writer.room, transport.receive);
  signal?.removeEventListener("abort", stop);

  await bound.running.settled(timing.drainMs, stopped.signal);
  await bound.cancel(timing.graceMs);
  await Promise.race([writer.flushed(), delay(timing.graceMs, undefined, { ref: false })]);
  await bound.close();
}

async function readAll(
  stdin: Readable,
  maxBytes: number,
  room: () => Promise<void>,
  receive: (frame: Frame) => void,
): Promise<void> {
  const frames = createFrames(maxBytes);
  let lines = 0;
  for await (const chunk of untilEnd(stdin)) {
    for (const frame of frames.push(chunk)) {
      receive(frame);
      lines += 1;
      if (lines % LINES_A_TURN === 0) await nextTurn();
    }
    await room();
  }
}

async function* untilEnd(stdin: Readable): AsyncIterable<Buffer> {
  try {
    yield* stdin as AsyncIterable<Buffer>;
  } catch {
    // However stdin came to its end, by the parent's death or by our own stop: it is the end.
  }
}
