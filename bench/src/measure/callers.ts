import type { Contender } from "./interleave.js";
import { timed, type McpServer } from "./mcp-server.js";
import type { Server } from "./servers.js";

export type Call = (server: McpServer, round: number) => Promise<string>;

export interface Hooks {
  /** Before each call, outside its time. */
  readonly before?: (round: number) => void;
  /** After each call, with its answer. What it throws is the call's failure. */
  readonly check?: (subject: string, text: string, round: number) => void;
}

export interface Callers extends AsyncDisposable {
  readonly contenders: readonly Contender[];
}

/** Servers that stay up while their calls are measured. One that does not start answers every call with the reason. */
export async function openCallers(
  pairs: readonly (readonly [server: Server, call: Call])[],
  { before, check }: Hooks = {},
): Promise<Callers> {
  const started: McpServer[] = [];
  const contenders: Contender[] = [];
  for (const [{ subject, optional, start }, call] of pairs) {
    const server = await start().catch((thrown: unknown) => {
      if (!optional) throw thrown;
      return thrown as Error;
    });
    if (!(server instanceof Error)) started.push(server);
    contenders.push({
      subject,
      optional,
      async once(round) {
        if (server instanceof Error) throw server;
        let text = "";
        before?.(round);
        const took = await timed(async () => (text = await call(server, round)));
        check?.(subject, text, round);
        return took;
      },
    });
  }
  return {
    contenders,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(started.map((server) => server.end()));
    },
  };
}
