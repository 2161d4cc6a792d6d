import type { ErrorEnvelope } from "@llmc/errors";
import type { AnyTool, CallResult, Media } from "@llmc/toolkit";
import type { ClientTraits } from "./client-table.js";
import { sentence } from "../protocol/protocol-error.js";

export interface ToolResult {
  readonly content: readonly ({ readonly type: "text"; readonly text: string } | Media)[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ShapeOptions {
  readonly results: "auto" | "both" | "text";
  readonly outputSchemas: boolean;
}

/**
 * Both parts carry the whole answer. The second is left out where a model would pay for it or see it in place of the
 * text. Images stand in the first alone: as base64 in text a model pays for them and sees nothing.
 */
export function toolResult(tool: AnyTool, result: CallResult, client: ClientTraits, options: ShapeOptions): ToolResult {
  const parted = result.parted();
  const content = [{ type: "text", text: result.text() }, ...(parted?.media ?? [])] as const;
  if (!sendsStructured(tool, parted !== null, client, options)) return { content };
  return { content, structuredContent: parted?.rest ?? result.payload };
}

function sendsStructured(tool: AnyTool, hasMedia: boolean, client: ClientTraits, options: ShapeOptions): boolean {
  // A listed outputSchema makes structuredContent a duty.
  if (options.outputSchemas) return true;
  // Such a client drops the content, and its images with it, once there is structuredContent.
  if (hasMedia && client.feedsStructured) return false;
  // A record is the same in both parts.
  if (tool.render === undefined) return true;
  return options.results === "both" || (options.results === "auto" && !client.feedsStructured);
}

/** An error is always text. Beside a listed outputSchema, clients hold even an error's structuredContent against it. */
export function errorResult(envelope: ErrorEnvelope, { outputSchemas }: ShapeOptions): ToolResult {
  const text = `${envelope.code}: ${sentence({ message: envelope.message, hint: envelope.hint })}`;
  const content = [{ type: "text", text }] as const;
  return outputSchemas
    ? { content, isError: true, _meta: { "llmc/error": envelope } }
    : { content, structuredContent: envelope, isError: true };
}
