import { CancelledError, EngineUnavailableError, TimeoutError } from "@llmc/errors";
import { run, type RunOptions, type RunResult } from "@llmc/te-run";

/** Where programs of the system are looked for, when not in the usual folders. */
export interface ProgramPlace {
  readonly path?: string | undefined;
}

export interface AskOptions extends Pick<RunOptions, "onStdout" | "maxBytes" | "timeoutMs"> {
  readonly signal?: AbortSignal | undefined;
}

/** Plain words, no colours, no pager, times in the machine's zone. */
export const PLAIN_ENV = {
  LC_ALL: "C.UTF-8",
  SYSTEMD_COLORS: "0",
  SYSTEMD_PAGER: "",
  SYSTEMD_PAGERSECURE: "1",
  SYSTEMD_URLIFY: "0",
};

/** Runs a program of the system to its end. One that hangs, or a call that is cancelled, is an error. */
export async function ask(
  argv: readonly [string, ...string[]],
  { path }: ProgramPlace,
  { signal, ...options }: AskOptions,
): Promise<RunResult> {
  const result = await run(argv, {
    ...options,
    env: { ...PLAIN_ENV, ...(path === undefined ? {} : { PATH: path }) },
    ...(signal === undefined ? {} : { signal }),
  });
  if (result.ended === "timeout") throw new TimeoutError(argv[0], options.timeoutMs / 1000, { id: "look-at-machine" });
  if (result.ended === "cancelled") throw new CancelledError(argv[0]);
  return result;
}

/** What a program says when it fails, in one line. */
export function complaint({ stderr, exitCode, signal }: RunResult): string {
  const line = stderr
    .toString()
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "");
  return (line ?? `it ended with ${exitCode ?? signal}`).slice(0, 300);
}

export function notUnderstood(program: string, what: string): EngineUnavailableError {
  return new EngineUnavailableError(
    program,
    what,
    "Try again; if it stays so, this version of it answers in another way.",
  );
}
