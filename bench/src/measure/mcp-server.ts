import { startChild, type Answer, type Command } from "./lines.js";

/** A server that has been introduced to its client. */
export interface McpServer {
  readonly pid: number;
  readonly instructions: string;
  request(method: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  answer(name: string, args: object): Promise<ToolAnswer>;
  /** The text of a tool's answer; rejects where the answer is an error. */
  call(name: string, args: object): Promise<string>;
  end(): Promise<void>;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "bench", version: "0" },
};

/** Our own few lines instead of the SDK's client: the client's share of a call is small, and the same for all. */
export async function startMcp(command: Command): Promise<McpServer> {
  const child = startChild(command);
  let id = 0;
  const request = async (method: string, params: object) => {
    const answer = await child.ask({ jsonrpc: "2.0", id: ++id, method, params });
    return resultOf(method, answer);
  };
  const { instructions } = await request("initialize", INITIALIZE).catch(async (thrown: unknown) => {
    await child.end();
    throw thrown;
  });
  child.tell({ jsonrpc: "2.0", method: "notifications/initialized" });
  const answer = async (name: string, args: object) => answerOf(await request("tools/call", { name, arguments: args }));
  return {
    pid: child.pid,
    instructions: typeof instructions === "string" ? instructions : "",
    request,
    answer,
    call: async (name, args) => textOf(await answer(name, args)),
    end: child.end,
  };
}

function resultOf(method: string, { result, error }: Answer): Readonly<Record<string, unknown>> {
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result as Readonly<Record<string, unknown>>;
}

interface ToolResult {
  readonly content?: readonly { readonly text?: string }[];
  readonly isError?: boolean;
}

function answerOf({ content, isError = false }: ToolResult): ToolAnswer {
  return { text: content?.map((part) => part.text ?? "").join("\n") ?? "", isError };
}

function textOf({ text, isError }: ToolAnswer): string {
  if (isError) throw new Error(`the answer is an error: ${text}`);
  return text;
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
