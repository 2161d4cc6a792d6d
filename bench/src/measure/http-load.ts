import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface Response {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

const ANSWER_MS = 60_000;

/** Kept connections and requests made beforehand: the client must not be what is measured. */
export interface Load extends AsyncDisposable {
  send(request: Request): Promise<Response>;
  /** All connections as fast as the server answers; requests a second. In one session no two may share an id. */
  flood(request: Request | ((lane: number) => Request), count: number): Promise<number>;
  /** So many requests a second, whether answered or not; milliseconds from when each was due. */
  paced(request: Request, perSecond: number, count: number): Promise<readonly number[]>;
}

export async function openLoad(port: number, connections: number): Promise<Load> {
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(port)));
  const idle = [...lanes];
  const waiting: ((lane: Lane) => void)[] = [];
  const take = () => idle.pop() ?? new Promise<Lane>((resolve) => waiting.push(resolve));
  const give = (lane: Lane) => {
    const next = waiting.shift();
    if (next === undefined) idle.push(lane);
    else next(lane);
  };
  const sendOn = async (lane: Lane, bytes: Buffer) => {
    const response = await lane(bytes);
    if (response.status >= 300) throw new Error(`HTTP ${response.status}: ${response.body.slice(0, 200)}`);
    return response;
  };
  async function sent(bytes: Buffer): Promise<Response> {
    const lane = await take();
    const response = await sendOn(lane, bytes);
    give(lane);
    return response;
  }

  return {
    send: (request) => sent(encoded(request)),
    async flood(request, count) {
      const bytes = lanes.map((_, index) => encoded(typeof request === "function" ? request(index) : request));
      let left = count;
      const start = performance.now();
      const drain = async (lane: Lane, index: number) => {
        while (left-- > 0) await sendOn(lane, bytes[index] as Buffer);
      };
      await Promise.all(lanes.map(drain));
      return (count / (performance.now() - start)) * 1000;
    },
    async paced(request, perSecond, count) {
      const bytes = encoded(request);
      const start = performance.now();
      const answer = async (due: number) => {
        await sent(bytes);
        return performance.now() - due;
      };
      const answers: Promise<number>[] = [];
      while (answers.length < count) {
        const due = start + (answers.length * 1000) / perSecond;
        if (performance.now() < due) await delay(1);
        else answers.push(answer(due));
      }
      return Promise.all(answers);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

function encoded({ method, path, headers = {}, body }: Request): Buffer {
  const text = body === undefined ? "" : JSON.stringify(body);
  const lines = Object.entries({
    Host: "127.0.0.1",
    ...headers,
    ...(body && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`);
}

interface Lane {
  (bytes: Buffer): Promise<Response>;
  close(): Promise<void>;
}

/** One connection, one request at a time. */
async function openLane(port: number): Promise<Lane> {
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let received = "";
  let settle: { resolve: (response: Response) => void; reject: (error: Error) => void } | undefined;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    received += chunk;
    const response = parsed(received);
    if (response === undefined) return;
    received = "";
    settle?.resolve(response);
  });
  socket.on("error", (error) => settle?.reject(error));
  socket.on("close", () => settle?.reject(new Error("the server closed the connection")));
  socket.setTimeout(ANSWER_MS, () => socket.destroy());
  const send = (bytes: Buffer) =>
    new Promise<Response>((resolve, reject) => {
      settle = { resolve, reject };
      if (socket.destroyed) reject(new Error("the connection is closed"));
      else socket.write(bytes);
    });
  return Object.assign(send, {
    close: async () => {
      if (socket.destroyed) return;
      socket.destroy();
      await once(socket, "close");
    },
  });
}

/** undefined: it has not all come. Enough of HTTP for answers with a length or in chunks. */
function parsed(text: string): Response | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const headers = text.slice(0, end).toLowerCase();
  const body = text.slice(end + 4);
  const length = /\r\ncontent-length: *(\d+)/.exec(headers)?.[1];
  const bare = /^http\/1\.1 (?:202|204)/.test(headers) && !headers.includes("transfer-encoding");
  const whole = length !== undefined ? body.length >= Number(length) : bare || body.endsWith("0\r\n\r\n");
  return whole ? { status: Number(headers.slice(9, 12)), headers, body } : undefined;
}
