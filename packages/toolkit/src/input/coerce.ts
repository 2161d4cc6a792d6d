import type { Issue } from "./issues.js";
import type { AnyTool } from "../tool/tool.js";
type Json = (value: unknown, text: string) => boolean;

/** An argument of this many characters is no slip of a client any more. */
const LONGEST = 1024 * 1024;

const isObject: Json = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isBoolean: Json = (value) => typeof value === "boolean";
const isNumber: Json = (value, text) => typeof value === "number" && /^-?\d+(?:\.\d+)?$/.test(text);

/** What a text may stand for where the schema takes no text. */
const STANDS_FOR: Readonly<Record<string, Json>> = {
  number: isNumber,
  int: isNumber,
  boolean: isBoolean,
  array: Array.isArray,
  object: isObject,
  record: isObject,
};

/**
 * The arguments with what some clients cannot help taken as it is meant: `"10"` for 10, a list as its JSON, null for what
 * is left out. Only where that can mean one thing; undefined where there is nothing of the kind.
 */
export function coerced(tool: AnyTool, args: unknown, issues: readonly Issue[]): unknown {
  let result = args;
  for (const issue of issues) {
    const value = meantBy(tool, issue);
    if (value !== NOTHING) result = withAt(result, issue.path, value);
  }
  return result === args ? undefined : result;
}

const NOTHING = Symbol("nothing");

function meantBy(tool: AnyTool, issue: Issue): unknown {
  const { code, input, path } = issue;
  if (path.length === 0 || (code !== "invalid_type" && code !== "invalid_union")) return NOTHING;
  if (input === null) return mayBeLeftOut(tool, path) ? undefined : NOTHING;
  if (typeof input !== "string" || input.length > LONGEST) return NOTHING;
  const text = input.trim();
  const value = parsed(text);
  const fits =
    code === "invalid_type"
      ? STANDS_FOR[issue.expected]?.(value, text)
      : isObject(value, text) || isBoolean(value, text);
  return fits === true ? value : NOTHING;
}

function mayBeLeftOut({ input }: AnyTool, path: readonly PropertyKey[]): boolean {
  const schema = path.length === 1 ? input.shape[String(path[0])] : undefined;
  return schema?.safeParse(undefined).success ?? false;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A copy in which `value` stands at `path`; undefined takes the key away. */
function withAt(whole: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(whole)) return whole.with(Number(key), withAt(whole[Number(key)], rest, value));
  const { [key]: old, ...others } = whole as Record<PropertyKey, unknown>;
  if (rest.length === 0 && value === undefined) return others;
  return { ...others, [key]: withAt(old, rest, value) };
}
