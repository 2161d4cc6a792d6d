import { createLogger, type Logger } from "@llmc/audit";
import { settingsOf, type LibraryOptions } from "@llmc/config";
import { openServices, VERSION, type Services } from "@llmc/linux-ops";
import type { AnyTool } from "@llmc/toolkit";
import { z } from "zod";
import { NOOP } from "./noop-name.js";

const nothing = {
  input: z.strictObject({}),
  output: z.strictObject({ ok: z.boolean() }),
  handler: () => Promise.resolve({ ok: true }),
  // The tool writes a text of fields that this result lacks.
  render: () => '{"ok":true}',
};

/**
 * The services as the apps open them, with one tool of the catalogue emptied. So what is measured is the pipeline that
 * ships, with every layer it has today: a pipeline composed here would fall behind without anybody seeing it.
 */
export function openNoopServices(options: LibraryOptions): Services & { readonly noop: AnyTool; readonly log: Logger } {
  const settings = settingsOf(options);
  const { log_format: format, include_correlation_id: includeCorrelationId } = settings.mcp.observability;
  const log = createLogger({ format, level: "info", includeCorrelationId });
  const services = openServices({ settings, version: VERSION, log });
  const tool = services.dispatcher.find(NOOP);
  if (tool === undefined) throw new Error(`no tool is called ${NOOP}`);
  return Object.assign(services, { log, noop: Object.assign(tool, nothing) });
}
