import { keepStream, type StreamName } from "@llmc/commands";
import { plainText } from "@llmc/te-shell";
import type { EnvelopeContext } from "../context.js";
import { tryDigest, type Digest, type Output } from "./digest.js";
import { asOutput, markerOf } from "./marker.js";
import { record, tokensOf } from "./record.js";

/** Shortens the output of a command that the client ran. The whole output stands behind a handle. */
export async function shortened(output: Output, context: EnvelopeContext): Promise<Pick<Output, "stdout" | "stderr">> {
  const start = performance.now();
  const { stdout, stderr } = output;
  const plain = { stdout: plainText(stdout), stderr: plainText(stderr) };
  const drops = await context.filters.dropsOf(output.command);
  const { short, failed } = await tryDigest({ ...output, ...plain }, await context.recognisers(), drops);
  const keep = async (name: StreamName) =>
    short === undefined || short[name] === plain[name]
      ? null
      : ((await keepStream(name, asOutput(plain[name]), context.limits.keptBytes, context)) ?? null);
  const handles = [await keep("stdout"), await keep("stderr")];
  const told = short === undefined ? { stdout, stderr } : withMarker(short, handles, context);
  const mode = short === undefined ? "passthrough" : "enriched";
  record(
    {
      command: output.command,
      family: short?.recogniser ?? failed,
      mode: failed === undefined ? mode : "error",
      rawTokens: tokensOf(stdout) + tokensOf(stderr),
      shownTokens: tokensOf(told.stdout) + tokensOf(told.stderr),
      truncated: short !== undefined,
      handles,
      start,
    },
    context,
  );
  return told;
}

function withMarker(
  short: Digest,
  handles: readonly (string | null)[],
  context: EnvelopeContext,
): Pick<Output, "stdout" | "stderr"> {
  const marker = `[${markerOf(short, handles, context.words)}]\n`;
  if (short.stdout === "") return { stdout: "", stderr: marker + short.stderr };
  return { stdout: marker + short.stdout, stderr: short.stderr };
}
