import { createMask } from "@llmc/audit";
import type { LogPage, LogQuery } from "@llmc/te-system";
import type { LinuxOpsContext } from "../../context/context.js";

const mask = createMask([]);
const AT_ONCE = 500;

/** What goes to the model, and behind a handle, has no secrets left in it. */
export async function readLogs(
  query: LogQuery,
  { system, signal }: Pick<LinuxOpsContext, "system" | "signal">,
): Promise<LogPage> {
  const page = await (await system()).logs.read(query, signal);
  const entries = [];
  for (const [index, entry] of page.entries.entries()) {
    entries.push({ ...entry, message: mask.text(entry.message) });
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return { ...page, entries };
}
