import type { Settings } from "@llmc/config";
import {
  wireName,
  type AnyTool,
  type CallContext,
  type ModuleHealth,
  type OpenModule,
  type ToolModule,
} from "@llmc/toolkit";
import type { SharedServices } from "../context/shared-services.js";
import { allInOrder } from "./all-in-order.js";

/** A module that these services can open: linuxModule, or one of another package. */
export type ServedModule = ToolModule<readonly AnyTool[], Settings, SharedServices>;

/** All modules of a server, as if they were one. */
export interface OpenModules extends Omit<OpenModule<object>, "contextOf"> {
  contextOf(call: CallContext, tool: AnyTool): object;
}

interface Opened {
  readonly module: ServedModule;
  readonly open: OpenModule<object>;
}

/** Refuses a second tool of the same name, in either form, because one would hide the other. */
export function toolsOf(modules: readonly ServedModule[]): readonly AnyTool[] {
  const owners = new Map<string, string>();
  for (const { name: module, tools } of modules) {
    for (const { name } of tools) {
      const other = owners.get(wireName(name));
      if (other !== undefined) throw new Error(`Two tools are named ${name}: one of ${other}, one of ${module}`);
      owners.set(wireName(name), module);
    }
  }
  return modules.flatMap(({ tools }) => tools);
}

/** Opens in the order of the list, and ends in the reverse order. */
export function openModules(modules: readonly ServedModule[], settings: Settings, shared: SharedServices): OpenModules {
  const opened = openEach(modules, settings, shared);
  const byTool = new Map(opened.flatMap(({ module, open }) => module.tools.map((tool) => [tool, open] as const)));
  const lastFirst = opened.toReversed();
  return {
    contextOf: (call, tool) => (byTool.get(tool) as OpenModule<object>).contextOf(call),
    health: async () => together(await Promise.all(opened.map(healthOf))),
    endSession: (owner) =>
      allInOrder(
        lastFirst.map(
          ({ open }) =>
            () =>
              open.endSession(owner),
        ),
      ),
    sweep: () =>
      allInOrder(
        opened.map(
          ({ open }) =>
            () =>
              open.sweep(),
        ),
      ),
    close: () => closeEach(lastFirst),
  };
}

function openEach(modules: readonly ServedModule[], settings: Settings, shared: SharedServices): readonly Opened[] {
  const opened: Opened[] = [];
  try {
    for (const module of modules) opened.push({ module, open: module.open(settings, shared) });
    return opened;
  } catch (thrown) {
    // The reason why the start failed counts more than a failure to close.
    closeEach(opened.toReversed()).catch(() => {});
    throw thrown;
  }
}

function closeEach(opened: readonly Opened[]): Promise<void> {
  return allInOrder(
    opened.map(
      ({ open }) =>
        () =>
          open.close(),
    ),
  );
}

/** Reports a failed health check as a problem, so that it does not hide the other modules. */
async function healthOf({ module, open }: Opened): Promise<ModuleHealth> {
  try {
    return await open.health();
  } catch (thrown) {
    return { parts: {}, problems: [`${module.name}: ${messageOf(thrown)}`] };
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function together(all: readonly ModuleHealth[]): ModuleHealth {
  return {
    parts: Object.assign({}, ...all.map(({ parts }) => parts)) as ModuleHealth["parts"],
    problems: all.flatMap(({ problems }) => problems),
  };
}
