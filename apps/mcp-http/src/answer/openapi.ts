import { inputSchemaOf, outputSchemaOf, type AnyTool } from "@llmc/toolkit";

export interface Described {
  readonly tools: readonly AnyTool[];
  readonly version: string;
  readonly tokenHeader: string;
  readonly metricsPath: string | null;
}

export const AGENT_ROLES: readonly unknown[] = ["Beatrice", "Otto", "Rem", "Grace"];
const TEXT = { type: "string", minLength: 1, maxLength: 200 };

/** The REST routes as OpenAPI 3.1, whose schemas are JSON Schema; the arguments of each tool are those of its zod schema. */
export function openApi({ tools, version, tokenHeader, metricsPath }: Described): object {
  return {
    openapi: "3.1.0",
    info: { title: "LLMC LinuxOps", version },
    security: [{ bearer: [] }, { header: [] }],
    paths: {
      "/health": { get: { summary: "Tells that the server runs.", security: [], ...answers({ 200: HEALTH }) } },
      "/tool": {
        post: {
          summary: "Calls a tool.",
          ...body({ ...CALL, oneOf: tools.map(({ name }) => ({ $ref: `#/components/schemas/${name}` })) }),
          ...answers({ 200: CALLED }, [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]),
        },
      },
      "/invoke_agent": {
        post: {
          summary: "Acknowledges a message; no model runs here.",
          ...body(INVOKE),
          ...answers({ 200: object({ text: { type: "string" } }) }, [400, 401, 413, 415, 422, 429]),
        },
      },
      ...(metricsPath === null ? {} : { [metricsPath]: { get: METRICS } }),
      "/openapi.json": { get: { summary: "This document.", ...answers({ 200: { type: "object" } }, [401, 429]) } },
    },
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        header: { type: "apiKey", in: "header", name: tokenHeader },
      },
      schemas: {
        Error: object(
          {
            code: { type: "string" },
            message: { type: "string" },
            hint: { type: "string" },
            correlation_id: { type: "string" },
          },
          ["code", "message", "correlation_id"],
        ),
        ...Object.fromEntries(tools.map((tool) => [tool.name, callOf(tool)])),
      },
    },
  };
}

function object(properties: object, required = Object.keys(properties)): object {
  return { type: "object", properties, required };
}

const HEALTH = object({ ok: { const: true }, version: { const: "v0" } });
const CALL = object({ session_id: TEXT, agent_id: TEXT, model: TEXT, budget_profile: TEXT }, [
  "session_id",
  "name",
  "args",
]);
const CALLED = object({
  data: {},
  meta: { type: "object", properties: { correlation_id: { type: "string" } }, required: ["correlation_id"] },
});
const INVOKE = object(
  {
    session_id: TEXT,
    role: { enum: AGENT_ROLES },
    user_msg: { type: "string" },
    inject_context: { type: "string" },
  },
  ["session_id", "role", "user_msg"],
);
const METRICS = {
  summary: "Counters and histograms in the text format of Prometheus.",
  responses: { 200: { description: "The metrics", content: { "text/plain": { schema: { type: "string" } } } } },
};

function callOf(tool: AnyTool): object {
  const { description, name } = tool;
  const args = inputSchemaOf(tool, { unlisted: true });
  return { description, ...object({ name: { const: name }, args }), "x-result": outputSchemaOf(tool) };
}

function body(schema: object): object {
  return { requestBody: { required: true, content: { "application/json": { schema } } } };
}

const REASONS: Readonly<Record<number, string>> = {
  400: "The request cannot be read.",
  401: "The token is missing or wrong.",
  403: "Not allowed.",
  404: "Not found.",
  409: "It exists, or changed since it was read.",
  413: "Too large.",
  415: "The body is not JSON.",
  422: "The arguments are wrong.",
  429: "Too many requests; Retry-After tells when to try again.",
  500: "A fault of the server.",
  503: "A program that the tool needs is missing.",
};

function answers(good: Readonly<Record<number, object>>, bad: readonly number[] = []): object {
  const json = (schema: object) => ({ content: { "application/json": { schema } } });
  const failures = bad.map((status) => [
    status,
    { description: REASONS[status], ...json({ $ref: "#/components/schemas/Error" }) },
  ]);
  const results = Object.entries(good).map(([status, schema]) => [status, { description: "Done", ...json(schema) }]);
  return { responses: Object.fromEntries([...results, ...failures]) as object };
}
