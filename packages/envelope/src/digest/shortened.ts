import { keepStream, type StreamName } from "@llmc/commands";
import { plainText } from "@llmc/te-shell";
import type { EnvelopeContext } from "../context.js";
import { digest, type Output } from "./digest.js";
import { asOutput, markerOf } from "./marker.js";

/** Shortens the output of a command that the client ran. The whole output stands behind a handle. */
export async function shortened(output: Output, context: EnvelopeContext): Promise<Pick<Output, "stdout" | "stderr">> {
  const { stdout, stderr } = output;
  const plain = { stdout: plainText(stdout), stderr: plainText(stderr) };
  const short = digest({ ...output, ...plain }, await context.recognisers());
  if (short === undefined) return { stdout, stderr };
  const keep = async (name: StreamName) =>
    short[name] === plain[name]
      ? null
      : ((await keepStream(name, asOutput(plain[name]), context.limits.keptBytes, context)) ?? null);
  const handles = [await keep("stdout"), await keep("stderr")];
  const marker = `[${markerOf(short, handles, context.words)}]\n`;
  if (short.stdout === "") return { stdout: "", stderr: marker + short.stderr };
  return { stdout: marker + short.stdout, stderr: short.stderr };
}
