import type { CallRow } from "../record/row.js";

const COLUMNS = [
  ["timestamp", (row: CallRow) => row.timestamp],
  ["correlation_id", (row: CallRow) => row.correlationId],
  ["session_id", (row: CallRow) => row.sessionId],
  ["agent_id", (row: CallRow) => row.agentId],
  ["model", (row: CallRow) => row.model],
  ["tool", (row: CallRow) => row.tool],
  ["status", (row: CallRow) => row.status],
  ["tokens_in", (row: CallRow) => row.tokensIn],
  ["tokens_out", (row: CallRow) => row.tokensOut],
  ["duration_ms", (row: CallRow) => row.durationMs],
] as const;

export const CSV_HEADER = line(COLUMNS.map(([name]) => name));

export function csvLine(row: CallRow): string {
  return line(COLUMNS.map(([, valueOf]) => valueOf(row)));
}

function line(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => `"${neutral(String(cell)).replaceAll('"', '""')}"`).join(",")}\n`;
}

/** A spreadsheet runs a cell that begins so as a formula; an apostrophe before it makes it text. */
function neutral(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
