// What the web framework costs by itself: one answer without a body asked for, one that parses JSON.
import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.get("/health", (context) => context.json({ ok: true, version: "v0" }));
app.post("/tool", async (context) => {
  const body: unknown = await context.req.json();
  return context.json({ data: { ok: typeof body === "object" }, meta: {} });
});
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ id: 0, result: { port } })}\n`);
});
// As ours: a connection that waits for its turn is not closed.
(server as Server).keepAliveTimeout = 60_000;
process.stdin.resume().on("end", () => server.close());
