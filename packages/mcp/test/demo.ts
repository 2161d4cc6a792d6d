import { setTimeout as delay } from "node:timers/promises";
import { settingsOf } from "@llmc/config";
import { HandleNotFoundError, NotFoundError, OpsError, type Remedy } from "@llmc/errors";
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
  type CallContext,
  type CallRecord,
  type Middleware,
} from "@llmc/toolkit";
import { z } from "zod";
import type { ClientInfo, McpOptions, Timing } from "../src/index.js";

type McpTable = NonNullable<NonNullable<Parameters<typeof settingsOf>[0]>["mcp"]>;

export interface DemoOptions {
  readonly mcp?: McpTable;
  readonly roots?: readonly string[];
  readonly confirm?: "never" | "auto" | "require";
  readonly confirmMs?: number;
  readonly timing?: Partial<Timing>;
  readonly without?: readonly string[];
}

/** What a test sees of, and does to, the tools below. */
export interface Demo {
  readonly options: McpOptions;
  readonly records: CallRecord[];
  readonly contexts: CallContext[];
  readonly clients: [ClientInfo, string][];
  readonly deleted: string[];
  /** Runs inside linux.slow, once it has started. */
  onSlow: (context: CallContext) => Promise<void>;
  readonly handles: Map<string, Buffer>;
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const DESTROYS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
const CHANGES = { ...DESTROYS, destructiveHint: false };

/** Resolves only by the call's end. */
export const untilAborted = ({ signal }: CallContext) =>
  delay(2 ** 31 - 1, undefined, { signal, ref: false }).then(() => {});

export function createDemo({ timing = {}, without = [], ...given }: DemoOptions = {}): Demo {
  const settings = settingsOf({ mcp: given.mcp, roots: given.roots ?? ["/srv/data"], home: "/home/u" });
  const records: CallRecord[] = [];
  const contexts: CallContext[] = [];
  const clients: [ClientInfo, string][] = [];
  const deleted: string[] = [];
  const handles = new Map<string, Buffer>();
  const access = createAccess({
    toolsets: ["fs", "sys"],
    allow: settings.mcp.tools.allow,
    deny: settings.mcp.tools.deny,
    readOnly: settings.mcp.tools.read_only,
    enabled: () => true,
    settings: { allow: "mcp.tools.allow", deny: "mcp.tools.deny", readOnly: "mcp.tools.read_only" },
  });
  const demo: Demo = {
    records,
    contexts,
    clients,
    deleted,
    handles,
    onSlow: untilAborted,
    options: {
      settings,
      access,
      version: "1.2.3",
      timing,
      onClient: (client, sessionId) => clients.push([client, sessionId]),
      dispatcher: createDispatcher<CallContext>({
        tools: toolsOf({ deleted, handles, slow: (context) => demo.onSlow(context) }).filter(
          ({ name }) => !without.includes(name),
        ),
        contextOf: (context) => {
          contexts.push(context);
          return context;
        },
        middleware: [
          observe({
            sinks: [(record) => records.push(record)],
            onSinkError: (thrown) => {
              throw thrown;
            },
          }),
          inWords,
          gate(access),
          parseArguments(),
          confirm({ mode: given.confirm ?? "never", timeoutMs: given.confirmMs ?? 60_000 }),
          limit({ concurrency: 8, queue: 16, waitMs: 10_000 }),
          deadline({ readTimeoutMs: 60_000 }),
        ],
      }),
    },
  };
  return demo;
}

/** The demo's own words for the remedies that its calls meet. */
const inWords: Middleware = async (_call, next) => {
  try {
    return await next();
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.remedy !== undefined) thrown.word({ hint: hintOf(thrown.remedy) });
    throw thrown;
  }
};

function hintOf(remedy: Remedy): string {
  if (remedy.id === "did-you-mean") return `Did you mean ${remedy.names.join(", ")}?`;
  if (remedy.id === "confirm-otherwise") return "The operator can set mcp.tools.confirm.";
  throw new Error(`the demo has no words for ${remedy.id}`);
}

export const PICTURE = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" } as const;

interface Effects {
  readonly deleted: string[];
  readonly handles: ReadonlyMap<string, Buffer>;
  readonly slow: (context: CallContext) => Promise<void>;
}

function toolsOf({ deleted, handles, slow }: Effects) {
  const tool = toolFactory<CallContext>();
  return [
    tool({
      name: "linux.fs_read",
      description: "Read a text file.",
      toolset: "fs",
      features: [],
      annotations: READS,
      input: z.strictObject({ path: z.string(), limit: z.int().min(1).max(2000).default(200) }),
      output: z.strictObject({ content: z.string(), handle: z.string().nullable() }),
      async handler({ path }) {
        if (path === "/srv/data/missing") throw new NotFoundError(path, "List the folder.");
        return { content: `text of ${path}\n`, handle: null };
      },
      render: ({ content }, { path }) => `[${path}]\n${content}`,
    }),
    tool({
      name: "linux.sys_snapshot",
      description: "Figures of this machine.",
      toolset: "sys",
      features: [],
      annotations: READS,
      input: z.strictObject({}),
      output: z.strictObject({ cpu_percent: z.number(), host: z.string() }),
      handler: async () => ({ cpu_percent: 1.5, host: "box" }),
    }),
    tool({
      name: "linux.fs_delete",
      description: "Delete a file.",
      toolset: "fs",
      features: [],
      annotations: DESTROYS,
      input: z.strictObject({ path: z.string() }),
      output: z.strictObject({ ok: z.boolean() }),
      async handler({ path }) {
        deleted.push(path);
        return { ok: true };
      },
    }),
    tool({
      name: "linux.slow",
      description: "Takes its time.",
      toolset: "sys",
      features: [],
      annotations: CHANGES,
      input: z.strictObject({}),
      output: z.strictObject({ done: z.boolean() }),
      async handler(_, context) {
        await slow(context);
        return { done: true };
      },
    }),
    tool({
      name: "linux.picture",
      description: "Shows a picture.",
      toolset: "compat",
      features: [],
      annotations: READS,
      input: z.strictObject({}),
      output: z.strictObject({ content: z.string(), image: z.strictObject({ data: z.string().optional() }) }),
      handler: async () => ({ content: "a dot", image: { data: PICTURE.data } }),
      render: ({ content }) => `[${content}]`,
      part: ({ content }) => ({ media: [PICTURE], rest: { content, image: {} } }),
    }),
    tool({
      name: "linux.crash",
      description: "Fails as nobody foresaw.",
      toolset: "sys",
      features: [],
      annotations: READS,
      input: z.strictObject({}),
      output: z.strictObject({ done: z.boolean() }),
      handler: async () => {
        throw new TypeError("secret detail");
      },
    }),
    tool({
      name: "linux.handle_read",
      description: "Read bytes behind a handle.",
      toolset: "handles",
      features: [],
      annotations: READS,
      input: z.strictObject({
        handle: z.string().regex(/^H_/),
        offset: z.int().min(0).default(0),
        limit: z.int().min(1).max(1_048_576).default(16_384),
      }),
      output: z.strictObject({
        data: z.string(),
        encoding: z.enum(["utf8", "base64"]),
        offset: z.int(),
        bytes: z.int(),
        next_offset: z.int().nullable(),
        total_bytes: z.int(),
        type: z.string(),
        meta: z.looseObject({}),
      }),
      async handler({ handle, offset, limit }, { session }) {
        const whole = handles.get(`${session.owner} ${handle}`);
        if (whole === undefined) throw new HandleNotFoundError(handle);
        const part = whole.subarray(offset, offset + limit);
        const text = !part.includes(0xff);
        const end = offset + part.length;
        return {
          data: part.toString(text ? "utf8" : "base64"),
          encoding: text ? ("utf8" as const) : ("base64" as const),
          offset,
          bytes: part.length,
          next_offset: end < whole.length ? end : null,
          total_bytes: whole.length,
          type: "text",
          meta: {},
        };
      },
      render: ({ data }) => data,
    }),
    tool({
      name: "plain",
      description: "A name without a dot.",
      toolset: "compat",
      features: [],
      annotations: READS,
      input: z.strictObject({}),
      output: z.strictObject({ ok: z.boolean() }),
      handler: async () => ({ ok: true }),
    }),
  ];
}
