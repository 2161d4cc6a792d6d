import { z } from "zod";
import {
  confirm,
  createAccess,
  createDispatcher,
  deadline,
  gate,
  limit,
  observe,
  parseArguments,
  toolFactory,
  type AnyTool,
  type CallContext,
  type CallOptions,
  type CallRecord,
  type Dispatcher,
  type Aliases,
} from "../src/index.js";

const defineTool = toolFactory<CallContext>();

export const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const destroys = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

type Handler = (args: { text: string; count: number }, context: CallContext) => Promise<{ said: string }>;

/** A tool whose handler is the test's own; everything else is ordinary. */
export function toolNamed(name: string, handler: Handler, more: Partial<AnyTool> = {}): AnyTool {
  return {
    ...defineTool({
      name,
      description: "Says a text.",
      toolset: "fs",
      features: ["mcp.on"],
      annotations: reads,
      input: z.strictObject({ text: z.string().max(10).default("hi"), count: z.int().min(0).max(5).default(1) }),
      output: z.strictObject({ said: z.string() }),
      logs: { args: ["count"], result: ["said"] },
      handler,
    }),
    ...more,
  };
}

export const echo = toolNamed("linux.echo", async ({ text }) => ({ said: text }));

export interface Pipeline {
  readonly dispatcher: Dispatcher;
  readonly records: CallRecord[];
}

export interface PipelineOptions {
  readonly confirmMode?: "never" | "auto" | "require";
  readonly confirmMs?: number;
  readonly readMs?: number;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly waitMs?: number;
  readonly deny?: readonly string[];
}

/** A surface's table of what its callers bring along. */
const ALIASES: Aliases = {
  arguments: [
    { argument: "path", names: ["file", "filepath"] },
    { argument: "old_text", names: ["oldstring", "find"] },
    { argument: "new_text", names: ["newstring", "replace"] },
    { argument: "max_lines", names: ["limit"] },
    { argument: "offset_lines", names: ["startline", "endline"], say: 'path: "FILE#L10-L20"' },
  ],
  tools: { readmultiplefiles: "linux.fs_read", editblock: "linux.fs_patch_block", writefile: "linux.fs_write" },
  countsFromTheEnd: { offset_lines: "tail_lines" },
};

/** The pipeline in the order in which the product has it. */
export function pipeline(tools: readonly AnyTool[], options: PipelineOptions = {}): Pipeline {
  const records: CallRecord[] = [];
  const access = createAccess({
    toolsets: ["fs"],
    allow: [],
    deny: options.deny ?? [],
    readOnly: false,
    enabled: (setting) => setting === "mcp.on",
    settings: { allow: "tools.allow", deny: "tools.deny", readOnly: "tools.read_only" },
  });
  const dispatcher = createDispatcher<CallContext>({
    tools,
    contextOf: (call) => call,
    middleware: [
      observe({ sinks: [(record) => records.push(record)], onSinkError: () => {} }),
      gate(access),
      parseArguments(ALIASES),
      confirm({ mode: options.confirmMode ?? "never", timeoutMs: options.confirmMs ?? 60_000 }),
      limit({ concurrency: options.concurrency ?? 8, queue: options.queue ?? 8, waitMs: options.waitMs ?? 60_000 }),
      deadline({ readTimeoutMs: options.readMs ?? 60_000, ownWaitMs: ({ patience }) => Number(patience ?? 0) }),
    ],
    aliases: ALIASES,
  });
  return { dispatcher, records };
}

export function from(token = "t", more: Partial<CallOptions> = {}): CallOptions {
  return {
    session: { id: "s", agentId: "a", model: "m", token, owner: "o" },
    entry: "library",
    correlationId: "c1",
    ...more,
  };
}

/** A promise that the test itself settles. */
export function gateway(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
