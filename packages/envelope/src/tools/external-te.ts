import { runWithinLimits, type LimitedRequest, type Outcome } from "@llmc/commands";
import { EngineUnavailableError } from "@llmc/errors";
import { z } from "zod";
import type { EnvelopeContext } from "../context.js";
import { asOutput } from "../digest/marker.js";

/** Answer of an external te, as the seed has it. */
const answer = z.looseObject({
  mode: z.enum(["enriched", "passthrough", "raw"]).catch("enriched"),
  stdout: z.string(),
  stderr: z.string().catch(""),
  exit_code: z.int(),
  enrichment: z.looseObject({ match_count: z.int().nullish() }).catch({}),
});

export interface ExternalRun {
  readonly outcome: Outcome;
  readonly mode: "enriched" | "passthrough" | "raw";
  readonly matchCount: number | null;
}

/** Runs a command by the operator's own te inside the sandbox; directly, if that fails and the operator allows it. */
export async function runByScript(request: LimitedRequest, context: EnvelopeContext): Promise<ExternalRun> {
  const { script_path: script, json_mode: isJson, passthrough_on_failure: mayPass } = context.te;
  const line = "line" in request.command ? request.command.line : request.command.argv.join(" ");
  const argv = [script, ...(isJson ? ["--json"] : []), line];
  const ran = await runWithinLimits({ ...request, command: { argv } }, context);
  const found = isJson ? answerOf(ran) : ran.exitCode === 126 || ran.exitCode === 127 ? undefined : plainAnswer(ran);
  if (found !== undefined) return found;
  if (!mayPass)
    throw new EngineUnavailableError(
      `The external te ${script}`,
      `it ended with ${ran.exitCode ?? "no exit code"} and gave no JSON`,
      "The operator can set mcp.te.script_path, or mcp.te.passthrough_on_failure = true.",
    );
  return { outcome: await runWithinLimits(request, context), mode: "passthrough", matchCount: null };
}

function plainAnswer(outcome: Outcome): ExternalRun {
  return { outcome, mode: "enriched", matchCount: null };
}

function answerOf(ran: Outcome): ExternalRun | undefined {
  const text = typeof ran.stdout === "string" ? ran.stdout : ran.stdout.head().toString();
  const found = answer.safeParse(jsonOf(text));
  if (!found.success) return undefined;
  const { stdout, stderr, exit_code: exitCode, mode, enrichment } = found.data;
  const { printed: _, ...rest } = ran;
  const outcome = { ...rest, stdout: asOutput(stdout), stderr: asOutput(stderr), exitCode };
  return { outcome, mode, matchCount: enrichment.match_count ?? null };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
