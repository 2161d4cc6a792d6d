import { isDeepStrictEqual } from "node:util";
import { UsageError } from "@llmc/cli";
import { addedTo, parseJson, removedFrom, type JsonNode } from "./json-text.js";

const EVENT = "PostToolUse";
const TOOL = "te_shorten";
/** Claude Code waits so long for the shorter output. */
const TIMEOUT_SECONDS = 10;

/** Returns the part of Claude Code's settings that runs te_shorten after its Bash tool. */
function groupOf(server: string) {
  const input = {
    command: "${tool_input.command}",
    stdout: "${tool_response.stdout}",
    stderr: "${tool_response.stderr}",
  };
  return {
    matcher: "Bash",
    hooks: [{ type: "mcp_tool", server, tool: TOOL, input, timeout: TIMEOUT_SECONDS }],
  };
}

/** Returns the settings that hold nothing but the hook. */
export function settingsWith(server: string): unknown {
  return { hooks: { [EVENT]: [groupOf(server)] } };
}

/** Adds the hook to a settings file's text; the same text if it is there already. */
export function installed(text: string, server: string): string {
  const group = groupOf(server);
  const there = groupsIn(text).filter(({ hooks }) => hooks.some(isOurs));
  if (there.length === 1 && isDeepStrictEqual(there[0]?.value, group)) return text;
  const rest = uninstalled(text);
  const root = parseJson(rest);
  const hooks = memberOf(root, "hooks");
  if (hooks === undefined) return addedTo(rest, root, { key: "hooks", value: { [EVENT]: [group] }, depth: 1 });
  const groups = memberOf(hooks, EVENT);
  if (groups === undefined) return addedTo(rest, hooks, { key: EVENT, value: [group], depth: 2 });
  return addedTo(rest, groups, { key: undefined, value: group, depth: 3 });
}

/** Removes the hook from a settings file's text, with the containers that hold nothing else. */
export function uninstalled(text: string): string {
  const found = groupsIn(text).find(({ hooks }) => hooks.some(isOurs));
  if (found === undefined) return text;
  const root = parseJson(text);
  const hooks = memberOf(root, "hooks");
  const groups = memberOf(hooks, EVENT);
  const own = memberOf(groups?.children?.[found.index]?.value, "hooks");
  const path = [
    { container: own, index: found.hooks.findIndex(isOurs) },
    { container: groups, index: found.index },
    { container: hooks, index: indexOf(hooks, EVENT) },
    { container: root, index: indexOf(root, "hooks") },
  ];
  const { container = root, index } = path.find((step) => (step.container?.children?.length ?? 0) > 1) ?? {
    container: root,
    index: indexOf(root, "hooks"),
  };
  return uninstalled(removedFrom(text, container, index));
}

interface Group {
  readonly index: number;
  readonly value: unknown;
  readonly hooks: readonly unknown[];
}

/** Reads the groups of hooks behind a tool. Refuses a text of another form. */
function groupsIn(text: string): Group[] {
  const settings = parsed(text);
  const { hooks = {} } = demandObject(settings, "the file");
  const { [EVENT]: groups = [] } = demandObject(hooks, "hooks");
  if (!Array.isArray(groups)) throw new UsageError(`hooks.${EVENT} is not an array`);
  return groups.map((value: unknown, index) => {
    const own = (value as { readonly hooks?: unknown } | null)?.hooks;
    return { index, value, hooks: Array.isArray(own) ? own : [] };
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`not valid JSON: ${(cause as Error).message}`, cause);
  }
}

function demandObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${name} is not an object`);
}

/** Tells our hook from others, whatever server it names. */
function isOurs(hook: unknown): boolean {
  const { type, tool } = (hook ?? {}) as { readonly type?: unknown; readonly tool?: unknown };
  return type === "mcp_tool" && tool === TOOL;
}

function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.children?.[indexOf(node, key)]?.value;
}

/** JSON.parse takes the last of two members with one name, and so does this. */
function indexOf(node: JsonNode | undefined, key: string): number {
  return node?.children?.findLastIndex((child) => child.key === key) ?? -1;
}
