import type { Remedy } from "@llmc/errors";
import type { z } from "zod";
import type { Aliases } from "./aliases.js";
import { isSaidBy, meaningOf, SHOWN_KEYS } from "./meaning.js";
import { preview } from "../text/preview.js";
import type { Issue } from "./issues.js";
import type { AnyTool } from "../tool/tool.js";

const SHOWN_ISSUES = 3;

/** One sentence a model can act on, and the hint: `limit is 5000; it must be at most 2000`. */
export function explainIssues(
  tool: AnyTool,
  args: unknown,
  { issues, aliases }: { readonly issues: readonly Issue[]; readonly aliases: Aliases },
): [message: string, hint: Remedy | undefined] {
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  const meant = unknown === undefined ? undefined : meaningOf(tool, args, unknown, aliases);
  const told = issues.filter((issue) => !isSaidBy(meant, issue));
  const shown = told.slice(0, SHOWN_ISSUES).map((issue) => sentence(issue));
  const more = told.length - shown.length;
  const message = `${tool.name}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return [
    message,
    meant?.hint ?? issues.map((issue) => otherWay(tool, issue, aliases)).find((hint) => hint !== undefined),
  ];
}

function sentence(issue: Issue): string {
  const field = issue.path.length === 0 ? "the arguments" : fieldName(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return `unknown argument ${unknownKeys(issue.keys)}${issue.path.length === 0 ? "" : ` in ${field}`}`;
    case "invalid_type":
      return issue.input === undefined
        ? `${field} is missing; it must be ${article(issue.expected)}`
        : `${field} is ${shown(issue.input)}; it must be ${article(issue.expected)}`;
    case "invalid_union":
      return issue.input === undefined
        ? `${field} is missing; it must be ${alternatives(issue.errors)}`
        : `${field} is ${shown(issue.input)}; it must be ${alternatives(issue.errors)}`;
    case "too_big":
      return `${field} is ${measured(issue)}; it must be ${bound(issue, "most")} ${issue.maximum}${unit(issue.origin)}`;
    case "too_small":
      if (issue.minimum === 1 && isEmpty(issue.input)) return `${field} is empty`;
      return `${field} is ${measured(issue)}; it must be ${bound(issue, "least")} ${issue.minimum}${unit(issue.origin)}`;
    case "invalid_value":
      return `${field} is ${shown(issue.input)}; it must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return `${field} is ${shown(issue.input)}: ${issue.message}`;
  }
}

function unknownKeys(keys: readonly string[]): string {
  const more = keys.length - SHOWN_KEYS;
  const named = keys.slice(0, SHOWN_KEYS).map((key) => JSON.stringify(key.slice(0, 60)));
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The same wish by another argument. */
function otherWay({ input }: AnyTool, issue: Issue, { countsFromTheEnd }: Aliases): Remedy | undefined {
  const argument = countsFromTheEnd[String(issue.path[0])];
  if (issue.code !== "too_small" || argument === undefined || !(argument in input.shape)) return undefined;
  const count = -Number(issue.input);
  const isAccepted = (input.shape[argument] as z.ZodType).safeParse(count).success;
  return { id: "count-from-the-end", argument, ...(isAccepted ? { count } : {}) };
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function article(expected: string): string {
  if (expected === "int") return "an integer";
  if (expected === "record") return "an object";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function alternatives(errors: readonly (readonly Issue[])[]): string {
  const kinds = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [article(first.expected)] : []));
  return kinds.length === 0 ? "something else" : kinds.join(" or ");
}

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

function bound({ exact }: { readonly exact?: boolean | undefined }, side: "least" | "most"): string {
  return exact === true ? "exactly" : `at ${side}`;
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}

function measured(issue: Issue & { readonly origin: string }): string {
  if (typeof issue.input === "string" && issue.origin === "string") return `${issue.input.length} characters`;
  if (Array.isArray(issue.input)) return `${issue.input.length} items`;
  return shown(issue.input);
}

function shown(value: unknown): string {
  return preview(value, 60);
}
