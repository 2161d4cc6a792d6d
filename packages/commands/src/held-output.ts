import { HandleNotFoundError, InvalidArgumentError, OpsError } from "@llmc/errors";
import { readWhole, type Handle } from "@llmc/handles";
import type { CommandContext } from "./launch/context.js";
import { chunksOf } from "./result/chunks.js";
import type { OnceRequest, Outcome } from "./run/run-once.js";

const OWN = /^\s*te\s+--handle[ =]\s*(\S+?)(?:\s+--chunk[ =]\s*(\d{1,6}))?\s*$/;

/** Answers `te --handle H [--chunk N]` in process, because no command sees the database. */
export async function heldOutput(
  command: OnceRequest["command"],
  context: Pick<CommandContext, "handles" | "session" | "files" | "signal">,
): Promise<Outcome | undefined> {
  const [, id, chunk = "0"] = OWN.exec("line" in command ? command.line : command.argv.join(" ")) ?? [];
  if (id === undefined) return undefined;
  const start = performance.now();
  const { session, signal } = context;
  const check = (handle: Handle) => demandReachable(handle, context);
  const { bytes } = await readWhole(await context.handles(), session.owner, id, { signal, check });
  const chunks = [...chunksOf(bytes)];
  const wanted = Number(chunk);
  if (wanted > 0 && wanted >= chunks.length)
    throw new InvalidArgumentError(`${id} has ${chunks.length} chunks, and the first is 0`, "Pass a lower --chunk.");
  const isLast = wanted + 1 >= chunks.length;
  return {
    stdout: chunks[wanted]?.toString() ?? "",
    stderr: isLast ? "" : `chunk ${wanted} of ${chunks.length}; next: te --handle ${id} --chunk ${wanted + 1}\n`,
    exitCode: 0,
    timedOut: false,
    durationMs: Math.round(performance.now() - start),
    facts: undefined,
  };
}

/** Checks the roots again, because over stdio a handle outlives its server and the next one may have narrower roots. */
export async function demandReachable(
  { id, meta }: Handle,
  { files, signal }: Pick<CommandContext, "files" | "signal">,
): Promise<void> {
  const { path } = meta;
  if (typeof path !== "string") return;
  await files.exists(path, { signal }).catch((thrown: unknown) => {
    throw OpsError.from(thrown).code === "INVALID_PATH" ? new HandleNotFoundError(id) : thrown;
  });
}
