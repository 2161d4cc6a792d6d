import { z } from "zod";
import { wireName, type AnyTool, type ToolAnnotations } from "./tool.js";

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: "object" };
  readonly outputSchema?: JsonSchema & { readonly type: "object" };
  readonly annotations: ToolAnnotations;
}

export type JsonSchema = { readonly [key: string]: unknown };

export interface ListingOptions {
  readonly names: "underscore" | "dotted";
  readonly outputSchema: boolean;
}

/** A tool as tools/list shows it: what a model needs to call it, and not a token more. */
export function describeTool(tool: AnyTool, { names, outputSchema }: ListingOptions): ListedTool {
  const underscore = names === "underscore" && tool.name.includes(".");
  return {
    name: underscore ? wireName(tool.name) : tool.name,
    ...(underscore ? { title: tool.name } : {}),
    description: tool.description,
    inputSchema: inputSchemaOf(tool, { unlisted: false }),
    ...(outputSchema ? { outputSchema: objectSchema(tool.output, "output") } : {}),
    annotations: tool.annotations,
  };
}

/** The arguments as JSON Schema; docs ask for the unlisted ones as well. */
export function inputSchemaOf(tool: AnyTool, { unlisted }: { unlisted: boolean }): ListedTool["inputSchema"] {
  const schema = objectSchema(tool.input, "input");
  if (unlisted) return schema;
  const hidden = new Set(tool.unlisted);
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, unknown>);
  const shown = properties.filter(([key]) => !hidden.has(key)).map(([key, value]) => [key, brief(value)]);
  return { ...schema, properties: Object.fromEntries(shown) };
}

/** Least upper bound left out of the listing, because models stay below it. */
const FAR = 50_000;

/** Leaves out bounds that models keep by themselves, and null, which means an omitted argument. */
function brief(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(brief);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(([key, value]) => {
    if (key === "minimum") return Number(value) > 1;
    return key !== "maximum" || Number(value) < FAR;
  });
  return Object.fromEntries(entries.map(([key, value]) => [key, key === "type" ? notNull(value) : brief(value)]));
}

function notNull(type: unknown): unknown {
  return Array.isArray(type) && type.length === 2 && type[1] === "null" ? type[0] : type;
}

export function outputSchemaOf(tool: AnyTool): ListedTool["inputSchema"] {
  return objectSchema(tool.output, "output");
}

function objectSchema(schema: z.ZodObject, io: "input" | "output"): ListedTool["inputSchema"] {
  const plain = slim(z.toJSONSchema(schema, { io, target: "draft-7" })) as JsonSchema;
  return { ...plain, type: "object" };
}

// The validator enforces these and its answer says what is allowed; on the wire they would only cost tokens.
const DROPPED = new Set(["$schema", "additionalProperties", "minLength", "maxLength", "minItems", "maxItems"]);

function slim(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(slim);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => !(DROPPED.has(key) && typeof value !== "object") && !isVacuous(key, value))
    .map(([key, value]) => [key, slim(value)] as const);
  return joinNullable(Object.fromEntries(entries));
}

/** Tells whether zod added a key by itself: safe-integer bounds to every z.int(), propertyNames to every record. */
function isVacuous(key: string, value: unknown): boolean {
  const isBound = key === "minimum" || key === "maximum";
  return key === "propertyNames" || (isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER);
}

/** `anyOf: [{type: X}, {type: null}]` is `type: [X, null]`, as the seeds write it. */
function joinNullable(node: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const [value, other] = anyOf as [JsonSchema, JsonSchema];
  if (other["type"] !== "null" || typeof value["type"] !== "string") return node;
  return { ...value, ...rest, type: [value["type"], "null"] };
}
