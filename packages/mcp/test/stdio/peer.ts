import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { serveStdio } from "../../src/index.js";
import type { Demo } from "../demo.js";

export type Answer = Readonly<Record<string, unknown>> & { readonly id?: unknown };

/** The client's end of two pipes, without an SDK: it can say what no SDK would. */
export interface Peer {
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly ended: Promise<void>;
  readonly stop: AbortController;
  readonly write: (...lines: (string | Buffer)[]) => void;
  /** The next line of stdout, parsed; fails if it is no JSON. */
  readonly next: () => Promise<unknown>;
  /** What is left to read after the end. */
  readonly rest: () => Promise<unknown[]>;
}

export const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "peer", version: "1" } },
});
export const request = (id: number | string, method: string, params?: object) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
export const call = (id: number | string, name: string, args: object = {}) =>
  request(id, "tools/call", { name, arguments: args });

export function serve(demo: Demo, stdout: PassThrough = new PassThrough()): Peer {
  const stdin = new PassThrough();
  const stop = new AbortController();
  const ended = serveStdio({
    ...demo.options,
    stdin,
    stdout,
    owner: "user:7",
    signal: stop.signal,
  });
  void ended.finally(() => stdout.end());
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    return done === true ? undefined : (JSON.parse(value) as unknown);
  };
  return {
    stdin,
    stdout,
    ended,
    stop,
    write: (...written) => {
      for (const line of written) {
        stdin.write(line);
        stdin.write("\n");
      }
    },
    next,
    rest: async () => {
      const all: unknown[] = [];
      for (let one = await next(); one !== undefined; one = await next()) all.push(one);
      return all;
    },
  };
}
