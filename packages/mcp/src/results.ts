import type { ErrorEnvelope } from "@llmc/errors";
import type { AnyTool, CallResult } from "@llmc/toolkit";
import type { ClientTraits } from "./client-table.js";
import { sentence } from "./protocol-error.js";

export interface ToolResult {
  readonly content: readonly [{ readonly type: "text"; readonly text: string }];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ShapeOptions {
  readonly results: "auto" | "both" | "text";
  readonly outputSchemas: boolean;
}

/** Both parts carry the whole answer. The second is left out where a model would pay for it or see it in place of the text. */
export function toolResult(tool: AnyTool, result: CallResult, client: ClientTraits, options: ShapeOptions): ToolResult {
  const content = [{ type: "text", text: result.text() }] as const;
  return sendsStructured(tool, client, options) ? { content, structuredContent: result.payload } : { content };
}

function sendsStructured(tool: AnyTool, client: ClientTraits, { results, outputSchemas }: ShapeOptions): boolean {
  // A listed outputSchema makes structuredContent a duty; a record is the same in both parts.
  if (outputSchemas || tool.render === undefined) return true;
  return results === "both" || (results === "auto" && !client.feedsStructured);
}

/** An error is always text. Beside a listed outputSchema, clients hold even an error's structuredContent against it. */
export function errorResult(envelope: ErrorEnvelope, { outputSchemas }: ShapeOptions): ToolResult {
  const text = `${envelope.code}: ${sentence({ message: envelope.message, hint: envelope.hint })}`;
  const content = [{ type: "text", text }] as const;
  return outputSchemas
    ? { content, isError: true, _meta: { "llmc/error": envelope } }
    : { content, structuredContent: envelope, isError: true };
}
