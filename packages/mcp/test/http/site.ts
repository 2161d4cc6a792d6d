import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { HttpMcp } from "../../src/index.js";

export interface Site extends AsyncDisposable {
  readonly url: URL;
}

/** As little of an app as a client needs: the token's name is what stands behind "Bearer". */
export async function site(mcp: HttpMcp): Promise<Site> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = "GET", headers } = incoming;
      const request = new Request(`http://127.0.0.1${incoming.url ?? "/"}`, {
        method,
        headers: headers as Record<string, string>,
        ...(method === "POST" ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
      });
      const response = await mcp.handle(request, {
        token: (headers.authorization ?? "default").replace("Bearer ", ""),
      });
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (response.body === null) return outgoing.end();
      const body = Readable.fromWeb(response.body as never);
      outgoing.on("close", () => body.destroy());
      return body.on("error", () => outgoing.destroy()).pipe(outgoing);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    [Symbol.asyncDispose]: async () => {
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
