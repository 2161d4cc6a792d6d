import { AGENT_ROLES } from "../answer/openapi.js";
import { AgentRequestRefusal } from "../answer/refusal.js";
import { isObject, textOf } from "./fields.js";

const FIELDS = ["session_id", "role", "user_msg", "inject_context"];

/** Checks the body of `POST /invoke_agent`; the answer does not depend on it, because no model runs here. */
export function demandAgentRequest(body: unknown): void {
  if (!isObject(body)) throw new AgentRequestRefusal("The body must be an object");
  const unknown = Object.keys(body).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) throw new AgentRequestRefusal(`Unknown field ${JSON.stringify(unknown.slice(0, 60))}`);
  const { session_id, role, user_msg, inject_context = "" } = body;
  if (textOf(session_id) === undefined) throw new AgentRequestRefusal("session_id must be text of 1 to 200 characters");
  if (!AGENT_ROLES.includes(role)) throw new AgentRequestRefusal(`role must be one of ${AGENT_ROLES.join(", ")}`);
  if (typeof user_msg !== "string") throw new AgentRequestRefusal("user_msg must be text");
  if (typeof inject_context !== "string") throw new AgentRequestRefusal("inject_context must be text");
}
