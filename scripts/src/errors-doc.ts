import { CODES } from "@llmc/errors";
import { table } from "./markdown.js";

/** docs/errors.md: the code table, as packages/errors has it. */
export function errorsDoc(): string {
  const rows = Object.entries(CODES).map(([code, { status, meaning }]) => [`\`${code}\``, String(status), meaning]);
  return `# Error codes

Every failure is one envelope, \`{code, message, hint?, correlation_id}\`: the body over HTTP, \`structuredContent\` of a
result with \`isError\` over MCP, an \`OpsError\` in the library. The message says what happened, the hint what makes the
next try succeed. The correlation id is in the server's log and audit.

${table(["code", "HTTP", "meaning"], rows)}
`;
}
