import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Ends a server: new connections are refused at once, streams are ended, and calls in flight have a moment. */
export type Drain = (endStreams: () => Promise<void>) => Promise<void>;

/**
 * To be called before the server listens. Node takes a connection that was opened ahead and carried no request yet for
 * a busy one, and one whose last answer came after close() stays open: so we count for ourselves.
 */
export function drainable(server: Server, drainMs: number): Drain {
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

  return async (endStreams) => {
    draining = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const late = setTimeout(() => server.closeAllConnections(), drainMs);
    for (const [socket, requests] of open) if (requests === 0) socket.destroySoon();
    await endStreams();
    await closed;
    clearTimeout(late);
  };
}
