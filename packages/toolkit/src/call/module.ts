import type { CallContext } from "./call.js";
import type { AnyTool } from "../tool/tool.js";

/** Facts that a module adds to the health report of its server. */
export interface ModuleHealth {
  /** Version, place or state of each part that the module uses; null where the part was not found. */
  readonly parts: Readonly<Record<string, string | null>>;
  /** Sentences for the operator. */
  readonly problems: readonly string[];
}

/** A module while a server runs. */
export interface OpenModule<Context> {
  /** Makes the context of a call, without side effects, because those belong in a middleware. */
  contextOf(call: CallContext): Context;
  health(): Promise<ModuleHealth>;
  /** Ends the work of a session that was closed. */
  endSession(owner: string): Promise<void>;
  /** Removes leftovers of crashed servers, some time after the start. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Context type of the handlers of these tools. */
export type ContextOf<Tools extends readonly AnyTool[]> = Parameters<Tools[number]["handler"]>[1];

/** Tools and their services from the start of a server to its end. A server or the library serves a list of modules. */
export interface ToolModule<Tools extends readonly AnyTool[], Settings, Shared> {
  /** Names the module in messages to the operator. */
  readonly name: string;
  readonly tools: Tools;
  /** Opens without loading code, because a start waits for every module. `shared` are the services of the server. */
  open(settings: Settings, shared: Shared): OpenModule<ContextOf<Tools>>;
}

/** Checks a module against its own tools, and keeps their names, arguments and results for the types of a library. */
export function toolModule<const Tools extends readonly AnyTool[], Settings, Shared>(
  module: ToolModule<Tools, Settings, Shared>,
): ToolModule<Tools, Settings, Shared> {
  return module;
}
