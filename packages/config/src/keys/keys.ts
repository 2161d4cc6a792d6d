import { z } from "zod";
import { mcpSchema } from "../schema/mcp.js";

export type Kind = "flag" | "number" | "text" | "list" | "tables";

/** One key as the loader and the docs see it: made by walking the schema, so nothing is written twice. */
export interface Key {
  /** Below the file's top level: `["mcp", "server", "port"]`. */
  readonly path: readonly string[];
  /** The same with dots. */
  readonly name: string;
  readonly kind: Kind;
  /** What a value must be, for people. */
  readonly type: string;
  readonly choices: readonly string[] | undefined;
  readonly initial: unknown;
  readonly example: unknown;
  readonly description: string;
  readonly secret: boolean;
  readonly isPath: boolean;
}

export interface Table {
  readonly path: readonly string[];
  readonly name: string;
  readonly description: string;
}

interface Walk {
  readonly keys: Key[];
  readonly tables: Table[];
}

const { keys, tables } = walk(mcpSchema, ["mcp"], { keys: [], tables: [] });

/** Every key, in the order of the schema. */
export const KEYS: readonly Key[] = keys;
export const TABLES: readonly Table[] = tables;
const byName = new Map(KEYS.map((key) => [key.name, key]));
const tableNames = new Set(TABLES.map((table) => table.name));

export const findKey = (path: readonly string[]): Key | undefined => byName.get(path.join("."));
export const isTable = (path: readonly string[]): boolean => tableNames.has(path.join("."));

/** Returns the value of a key, or of a table, in the settings. */
export function valueOf(mcp: unknown, { path }: Pick<Key, "path">): unknown {
  return path.slice(1).reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], mcp);
}

function walk(schema: z.core.$ZodType, path: readonly string[], into: Walk): Walk {
  const inner = unwrap(schema);
  const { description = "", ...meta } = z.globalRegistry.get(schema) ?? {};
  if (inner.core instanceof z.ZodObject) {
    into.tables.push({ path, name: path.join("."), description });
    for (const [name, child] of Object.entries(inner.core.shape)) walk(child, [...path, name], into);
    return into;
  }
  const isPath = meta["path"] === true;
  const known = shape(inner.core);
  into.keys.push({
    path,
    name: path.join("."),
    ...known,
    type: isPath ? known.type.replace(/text$/, known.kind === "list" ? "paths" : "a path") : known.type,
    initial: inner.initial,
    example: meta["example"],
    description,
    secret: meta["secret"] === true,
    isPath,
  });
  return into;
}

function unwrap(schema: z.core.$ZodType): { core: z.core.$ZodType; initial?: unknown } {
  if (schema instanceof z.ZodDefault) return { ...unwrap(schema.def.innerType), initial: schema.def.defaultValue };
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) return unwrap(schema.def.innerType);
  return { core: schema };
}

function shape(core: z.core.$ZodType): { kind: Kind; type: string; choices: readonly string[] | undefined } {
  if (core instanceof z.ZodBoolean) return { kind: "flag", type: "true or false", choices: undefined };
  if (core instanceof z.ZodNumber) return { kind: "number", type: numberType(core), choices: undefined };
  if (core instanceof z.ZodArray) {
    const { choices } = shape(core.element);
    return { kind: "list", type: choices ? `a list of ${choices.join(", ")}` : "a list of text", choices };
  }
  if (core instanceof z.ZodRecord && core.valueType instanceof z.ZodObject) {
    const fields = Object.entries(core.valueType.shape).map(([name, field]) => `${name} = ${shape(field).type}`);
    return { kind: "tables", type: `NAME = { ${fields.join(", ")} }`, choices: undefined };
  }
  const choices = choicesOf(core);
  if (choices)
    return { kind: "text", type: choices.length > 1 ? `one of ${choices.join(", ")}` : String(choices), choices };
  return { kind: "text", type: "text", choices: undefined };
}

function choicesOf(core: z.core.$ZodType): readonly string[] | undefined {
  if (core instanceof z.ZodEnum) return core.options.map(String);
  if (core instanceof z.ZodLiteral) return core.def.values.map(String);
  return undefined;
}

function numberType(core: z.ZodNumber): string {
  const what = core.format === "safeint" ? "a whole number" : "a number";
  return `${what} from ${core.minValue} to ${core.maxValue}`;
}
