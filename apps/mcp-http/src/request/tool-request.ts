import { FieldRefusal } from "../answer/refusal.js";
import { isObject, LONGEST, textOf } from "./fields.js";

export interface ToolRequest {
  readonly sessionId: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly agentId: string | undefined;
  readonly model: string | undefined;
  readonly budgetProfile: string | undefined;
}

const FIELDS = ["session_id", "name", "args", "agent_id", "model", "budget_profile"];

/** The body of `POST /tool`; the tool itself checks its arguments. */
export function toolRequest(body: unknown): ToolRequest {
  if (!isObject(body)) throw new FieldRefusal("The body must be an object");
  const unknown = Object.keys(body).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) throw new FieldRefusal(`Unknown field ${JSON.stringify(unknown.slice(0, 60))}`);
  const { args } = body;
  if (!isObject(args)) throw new FieldRefusal(args === undefined ? "args is missing" : "args must be an object");
  return {
    sessionId: required(body, "session_id"),
    name: required(body, "name"),
    args,
    agentId: optional(body, "agent_id"),
    model: optional(body, "model"),
    budgetProfile: optional(body, "budget_profile"),
  };
}

function required(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = optional(body, field);
  if (value === undefined) throw new FieldRefusal(`${field} is missing`);
  return value;
}

function optional(body: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  const text = textOf(value);
  if (text === undefined)
    throw new FieldRefusal(`${field} must be text of 1 to ${LONGEST} characters without control characters`);
  return text;
}
