/** JSON Schema as far as zod writes it for our tools. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly [bound: string]: unknown;
}

/** A schema as one reads a type: `string[]`, `"a" | "b" | null`, `{ path: string }`. */
export function shapeOf(schema: Schema, indent = ""): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => shapeOf(one, indent)).join(" | ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["unknown"]);
  return types.map((type) => single(type, schema, indent)).join(" | ");
}

function single(type: string, schema: Schema, indent: string): string {
  if (type === "array") return arrayOf(shapeOf(schema.items ?? {}, indent));
  return type === "object" ? objectOf(schema, indent) : type;
}

function arrayOf(item: string): string {
  return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function objectOf({ properties, additionalProperties, required = [] }: Schema, indent: string): string {
  if (properties === undefined || Object.keys(properties).length === 0) {
    return typeof additionalProperties === "object" ? `{ [name]: ${shapeOf(additionalProperties, indent)} }` : "{}";
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description === undefined ? "" : `  // ${schema.description}`;
    return `${inner}${name}${required.includes(name) ? "" : "?"}: ${shapeOf(schema, inner)}${note}`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

const BOUNDS = {
  minimum: ["at least", ""],
  maximum: ["at most", ""],
  exclusiveMinimum: ["above", ""],
  exclusiveMaximum: ["below", ""],
  minLength: ["at least", " characters"],
  maxLength: ["at most", " characters"],
  minItems: ["at least", " items"],
  maxItems: ["at most", " items"],
} as const;

/** `at least 1, at most 2000`; of a list's items as well. */
export function boundsOf(schema: Schema): string {
  const own = Object.entries(BOUNDS).flatMap(([key, [words, unit]]) => {
    const bound = schema[key];
    // zod writes the bounds of a double's integers into every integer without bounds of its own.
    if (typeof bound !== "number" || Math.abs(bound) === Number.MAX_SAFE_INTEGER) return [];
    return [key === "minLength" && bound === 1 ? "not empty" : `${words} ${bound}${unit}`];
  });
  const items = schema.items === undefined ? "" : boundsOf(schema.items);
  return [...own, ...(items === "" ? [] : [`each ${items}`])].join(", ");
}
