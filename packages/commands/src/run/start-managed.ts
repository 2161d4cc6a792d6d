import { CancelledError } from "@llmc/errors";
import type { Awaited, ManagedProcess, Why } from "@llmc/te-process";
import type { LaunchRequest, MissingProgram } from "@llmc/te-shell";
import { sessionKey } from "@llmc/toolkit";
import { findClosedPaths } from "../launch/find-closed-paths.js";
import type { CommandContext } from "../launch/context.js";
import { launchSession } from "../launch/launch-session.js";
import { workingFolder } from "../launch/working-folder.js";

export interface StartRequest {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** Size of the terminal; undefined for pipes. */
  readonly size: { readonly cols: number; readonly rows: number } | undefined;
  /** Milliseconds until the first answer, which comes sooner once `until` is printed. */
  readonly waitMs: number;
  readonly until: Awaited | undefined;
  /** Ends the wait at silence too, for a program that shows no prompt. */
  readonly endsAtQuiet?: boolean;
  /** The operator's list that allows or refuses the program. */
  readonly use: LaunchRequest["use"];
  /** Names the tool in messages. */
  readonly tool: string;
}

export type Begun = { readonly process: ManagedProcess; readonly why: Why } | MissingProgram;

/** Terminal type of a program in a terminal, because the server's environment may have no TERM. */
const TERMINAL = { TERM: "xterm-256color" };

/** Starts a program and waits for its first output. */
export async function startManaged(request: StartRequest, context: CommandContext): Promise<Begun> {
  const { managed, files, signal, session } = context;
  const owner = sessionKey(context);
  managed.demandRoom(owner);
  const cwd = await workingFolder(request.cwd, files, signal);
  const { size, waitMs, until, endsAtQuiet } = request;
  const commands = await context.commands();
  const launch = await commands.prepare({
    command: { line: request.command },
    use: request.use,
    cwd,
    closed: await findClosedPaths(context, cwd),
    session: launchSession(session),
    env: { ...(size === undefined ? {} : TERMINAL), ...request.env },
    ...(size === undefined ? {} : { terminal: { ...size, outer: await managed.hasTerminals() } }),
  });
  if ("missing" in launch) return launch;
  if (signal.aborted) {
    await launch.release();
    throw new CancelledError(request.tool);
  }
  using _own = files.ownWork(owner);
  const process = await managed.start({ owner, command: request.command, cwd, launch, size });
  try {
    await process.seePid();
    return { process, why: await process.wait({ ms: waitMs, until, endsAtQuiet, from: 0, signal }) };
  } catch (thrown) {
    // The caller gets no id, so no call could end the process later.
    await process.stop(0);
    managed.remove(owner, process.id);
    throw thrown;
  }
}
