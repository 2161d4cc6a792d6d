import type { Remedy } from "@llmc/errors";
import { meantArgument, type Aliases } from "./aliases.js";
import { inputSchemaOf, type JsonSchema } from "../tool/listing.js";
import { nearestName } from "../text/nearest.js";
import type { Issue } from "./issues.js";
import type { AnyTool } from "../tool/tool.js";

type UnknownKeys = Extract<Issue, { code: "unrecognized_keys" }>;

/** Unknown arguments that an answer names. */
export const SHOWN_KEYS = 3;

/** What unknown arguments were meant to be. */
export interface Meaning {
  readonly hint: Remedy;
  /** What the hint names: that it is missing need not be said as well. */
  readonly path: readonly PropertyKey[];
  readonly names: readonly string[];
}

export function meaningOf(tool: AnyTool, args: unknown, { keys, path }: UnknownKeys, aliases: Aliases): Meaning {
  const allowed = argumentsAt(tool, path);
  const given = Object.keys(valueAt(args, path) ?? {});
  const free = allowed.filter((name) => !given.includes(name));
  const known = keys.slice(0, SHOWN_KEYS).map((key) => meantArgument(aliases, key, free));
  const meant = [...new Set(known.filter((name) => name !== undefined))];
  // All are known from elsewhere: what else there is would only be paid for.
  if (meant.length > 0 && known.length === keys.length && !known.includes(undefined))
    return { hint: { id: "did-you-mean", names: meant }, path, names: meant };
  const near = meant.length > 0 ? meant : [nearestName(keys[0] ?? "", free)].filter((name) => name !== undefined);
  const listed = path.length > 0 ? allowed : allowed.filter((name) => tool.unlisted?.includes(name) !== true);
  return { hint: { id: "did-you-mean", names: near, arguments: listed }, path, names: near };
}

/** Codes of the issue that an argument is missing. */
const MISSING: ReadonlySet<Issue["code"]> = new Set(["invalid_type", "invalid_union"]);

/** Whether an issue only says that what was meant is missing. */
export function isSaidBy(meaning: Meaning | undefined, { code, input, path }: Issue): boolean {
  if (meaning === undefined || !MISSING.has(code) || input !== undefined) return false;
  const { path: around, names } = meaning;
  return (
    path.length === around.length + 1 &&
    around.every((key, index) => key === path[index]) &&
    names.includes(String(path.at(-1)))
  );
}

function argumentsAt(tool: AnyTool, path: readonly PropertyKey[]): readonly string[] {
  let node: JsonSchema | undefined = inputSchemaOf(tool, { unlisted: true });
  for (const key of path) {
    const { properties, items } = objectsIn(node);
    node = typeof key === "number" ? items : properties?.[String(key)];
  }
  return Object.keys(objectsIn(node).properties ?? {});
}

interface ObjectNode {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** Of a union what can hold something. */
function objectsIn(node: JsonSchema | undefined): ObjectNode {
  const choices = (node?.["anyOf"] ?? [node]) as readonly (ObjectNode | undefined)[];
  return choices.find((choice) => choice?.properties !== undefined || choice?.items !== undefined) ?? {};
}

function valueAt(args: unknown, path: readonly PropertyKey[]): object | undefined {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], args) as object | undefined;
}
