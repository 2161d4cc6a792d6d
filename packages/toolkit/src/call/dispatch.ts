import { OpsError, UnknownToolError, type Remedy } from "@llmc/errors";
import { correlationIdFrom, type Call, type CallContext, type CallOptions } from "./call.js";
import { meantTool, NO_ALIASES, type Aliases } from "../input/aliases.js";
import { nearestName } from "../text/nearest.js";
import { wireName, type AnyTool, type Parted } from "../tool/tool.js";

export type Payload = Readonly<Record<string, unknown>>;
export type Middleware = (call: Call, next: () => Promise<CallResult>) => Promise<CallResult>;

export interface CallResult {
  readonly payload: Payload;
  /** The text form: the tool's own, or compact JSON. Made once, at first use. */
  readonly text: () => string;
  /** The payload taken apart, where it holds media. Made once, at first use. */
  readonly parted: () => Parted<Payload> | null;
}

export interface Dispatcher {
  readonly tools: readonly AnyTool[];
  find(name: string): AnyTool | undefined;
  /** Rejects with an OpsError and nothing else. */
  call(name: string, args: unknown, options: CallOptions): Promise<CallResult>;
}

export interface DispatcherOptions<Context> {
  readonly tools: readonly AnyTool<Context>[];
  readonly contextOf: (call: CallContext, tool: AnyTool) => Context;
  /** Outermost first. */
  readonly middleware: readonly Middleware[];
  /** Names from other servers, for hints on unknown tools. */
  readonly aliases?: Aliases;
  /** Tools that a hint may name; all by default. */
  readonly isListed?: (tool: AnyTool) => boolean;
}

export function createDispatcher<Context>(options: DispatcherOptions<Context>): Dispatcher {
  const { tools, contextOf, middleware, aliases = NO_ALIASES, isListed = () => true } = options;
  const byName = new Map<string, AnyTool>(
    tools.flatMap((tool) => [
      [wireName(tool.name), tool],
      [tool.name, tool],
    ]),
  );
  const names = tools.map((tool) => tool.name);

  async function handle(call: Call): Promise<CallResult> {
    const { tool } = call;
    if (tool === undefined) throw new UnknownToolError(call.name, hintFor(call.name));
    const result = await tool.handler(call.args as never, contextOf(contextFor(call), tool));
    // A result that breaks its own schema is our bug: the ZodError surfaces as INTERNAL.
    const payload = tool.output.parse(result);
    const parted = once(() => (tool.part?.(payload as never) ?? null) as Parted<Payload> | null);
    return {
      payload,
      parted,
      text: once(
        () =>
          tool.render?.(payload as never, call.args as never, writtenIn(call.rawArgs as object)) ??
          JSON.stringify(parted()?.rest ?? payload),
      ),
    };
  }

  function hintFor(name: string): Remedy | undefined {
    const meant = meantTool(aliases, name, names);
    if (meant !== undefined) return { id: "use-tool", tool: meant };
    const listed = tools.filter((tool) => isListed(tool)).map((tool) => tool.name);
    const near = nearestName(name, listed);
    return near === undefined ? undefined : { id: "did-you-mean", names: [near] };
  }

  function call(name: string, args: unknown, given: CallOptions): Promise<CallResult> {
    const controller = given.controller ?? (given.signal === undefined ? new AbortController() : undefined);
    const call: Call = {
      name,
      tool: byName.get(name),
      rawArgs: args ?? {},
      args: {},
      signal: controller?.signal ?? (given.signal as AbortSignal),
      controller,
      session: given.session,
      entry: given.entry,
      correlationId: correlationIdFrom(given.correlationId),
      progress: given.progress ?? (() => {}),
      ask: given.ask,
      envelope: null,
    };
    return through(middleware, call, handle);
  }

  return { tools, find: (name) => byName.get(name), call };
}

async function through(
  layers: readonly Middleware[],
  call: Call,
  handle: (call: Call) => Promise<CallResult>,
): Promise<CallResult> {
  // Not async: each layer that needs no promise of its own would pay for one in every call.
  const run = (index: number): Promise<CallResult> => {
    const layer = layers[index];
    if (layer === undefined) return handle(call);
    let entered = false;
    return layer(call, () => {
      if (entered) throw new Error("a middleware called next() twice");
      entered = true;
      return run(index + 1);
    });
  };
  try {
    return await run(0);
  } catch (thrown) {
    throw OpsError.from(thrown);
  }
}

function contextFor(call: Call): CallContext {
  const { session, entry, correlationId, signal, progress } = call;
  let given: ReadonlySet<string> | undefined;
  return {
    session,
    entry,
    correlationId,
    signal,
    progress,
    recordEnvelope: (facts) => (call.envelope = facts),
    get given() {
      return (given ??= writtenIn(call.rawArgs as object));
    },
  };
}

/** Null stands for what is left out. */
function writtenIn(args: object): ReadonlySet<string> {
  return new Set(Object.entries(args).flatMap(([name, value]) => (value === null ? [] : [name])));
}

function once<T extends string | object | null>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made === undefined ? (made = make()) : made);
}
