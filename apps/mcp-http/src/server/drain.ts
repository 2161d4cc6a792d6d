import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface Calls {
  /** Resolves when no call runs, or when the calls have had their time. */
  readonly finished: () => Promise<void>;
  /** Cancels the calls that still run, so that they are answered, and ends streams. */
  readonly cancelled: () => Promise<void>;
}

/** Ends a server: new connections are refused at once, calls may finish, and the others are cancelled and answered. */
export type Drain = (calls: Calls) => Promise<void>;

/** Milliseconds that the last answers have to be sent. */
const LAST_MS = 1000;

/**
 * To be called before the server listens. Node takes a connection that was opened ahead and carried no request yet for
 * a busy one, and one whose last answer came after close() stays open: so we count for ourselves.
 */
export function drainable(server: Server, lastMs = LAST_MS): Drain {
  const open = new Map<Socket, number>();
  let draining = false;

  server.on(server.listenerCount("secureConnection") > 0 ? "secureConnection" : "connection", (socket: Socket) => {
    open.set(socket, 0);
    socket.once("close", () => open.delete(socket));
  });
  const busy = ({ socket }: IncomingMessage, response: ServerResponse) => {
    open.set(socket, (open.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const rest = (open.get(socket) ?? 1) - 1;
      open.set(socket, rest);
      if (draining && rest === 0) socket.destroySoon();
    });
  };
  server.prependListener("request", busy);
  server.prependListener("checkContinue", busy);

  return async ({ finished, cancelled }) => {
    draining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, requests] of open) if (requests === 0) socket.destroySoon();
    await finished();
    await cancelled();
    const late = setTimeout(() => server.closeAllConnections(), lastMs);
    await closed;
    clearTimeout(late);
  };
}
