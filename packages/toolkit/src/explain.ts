import type { z } from "zod";
import { nearestName } from "./nearest.js";
import { preview } from "./preview.js";
import type { AnyTool } from "./tool.js";

type Issue = z.core.$ZodIssue;

const SHOWN_ISSUES = 3;

/** One sentence a model can act on, and the hint: `max_lines is 5000; it must be at most 2000`. */
export function explainIssues(tool: AnyTool, issues: readonly Issue[]): [message: string, hint: string | undefined] {
  const shown = issues.slice(0, SHOWN_ISSUES).map((issue) => sentence(issue));
  const more = issues.length - shown.length;
  const message = `${tool.name}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
  return [message, hintFor(tool, issues)];
}

function sentence(issue: Issue): string {
  const field = issue.path.length === 0 ? "the arguments" : fieldName(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return `unknown argument ${unknownKeys(issue.keys)}`;
    case "invalid_type":
      return issue.input === undefined
        ? `${field} is missing; it must be ${article(issue.expected)}`
        : `${field} is ${shown(issue.input)}; it must be ${article(issue.expected)}`;
    case "too_big":
      return `${field} is ${measured(issue)}; it must be at most ${issue.maximum}${unit(issue.origin)}`;
    case "too_small":
      return `${field} is ${measured(issue)}; it must be at least ${issue.minimum}${unit(issue.origin)}`;
    case "invalid_value":
      return `${field} is ${shown(issue.input)}; it must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    default:
      return `${field} is ${shown(issue.input)}: ${issue.message}`;
  }
}

function unknownKeys(keys: readonly string[]): string {
  const more = keys.length - SHOWN_ISSUES;
  const named = keys.slice(0, SHOWN_ISSUES).map((key) => JSON.stringify(key.slice(0, 60)));
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function hintFor(tool: AnyTool, issues: readonly Issue[]): string | undefined {
  const allowed = Object.keys(tool.input.shape);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys" || issue.path.length > 0) continue;
    const near = nearestName(issue.keys[0] ?? "", allowed);
    return near === undefined
      ? `Arguments: ${allowed.join(", ") || "none"}.`
      : `Did you mean ${near}? Arguments: ${allowed.join(", ")}.`;
  }
  return undefined;
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function article(expected: string): string {
  if (expected === "int") return "an integer";
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
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
