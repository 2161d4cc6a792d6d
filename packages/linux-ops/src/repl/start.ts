import { CancelledError } from "@llmc/errors";
import { awaited, type ManagedProcess, type Why } from "@llmc/te-process";
import type { MissingProgram } from "@llmc/te-shell";
import { sessionKey } from "@llmc/toolkit";
import { closedPaths } from "../command/closed-paths.js";
import { launchSession } from "../command/launch-session.js";
import { workingFolder } from "../command/working-folder.js";
import type { LinuxOpsContext } from "../context.js";
import { waitOf } from "../proc/waiting.js";

export interface StartRequest {
  readonly command: string;
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** Of its terminal; undefined: pipes. */
  readonly size: { readonly cols: number; readonly rows: number } | undefined;
  readonly waitMs: number;
  readonly waitFor: string | undefined;
}

export type Begun = { readonly process: ManagedProcess; readonly why: Why } | MissingProgram;

/** What we draw screens as; the server itself may have been started without any terminal. */
const TERMINAL = { TERM: "xterm-256color" };

/** Starts a program and waits for its first words. */
export async function begin(request: StartRequest, context: LinuxOpsContext): Promise<Begun> {
  const { managed, files, signal, mcp, session } = context;
  const owner = sessionKey(context);
  const ms = waitOf(request.waitMs, mcp);
  const until = request.waitFor === undefined ? undefined : awaited(request.waitFor);
  managed.demandRoom(owner);
  const cwd = await workingFolder(request.cwd, files, signal);
  const { size } = request;
  const commands = await context.commands();
  const launch = await commands.prepare({
    command: { line: request.command },
    tool: "proc_start",
    cwd,
    closed: await closedPaths(context, cwd),
    session: launchSession(session),
    env: { ...(size === undefined ? {} : TERMINAL), ...request.env },
    ...(size === undefined ? {} : { terminal: { ...size, outer: await managed.hasTerminals() } }),
  });
  if ("missing" in launch) return launch;
  if (signal.aborted) {
    await launch.release();
    throw new CancelledError("linux.proc_start");
  }
  using _own = files.ownWork(owner);
  const process = await managed.start({ owner, command: request.command, cwd, launch, size });
  try {
    await process.seePid();
    return { process, why: await process.wait({ ms, until, from: 0, signal }) };
  } catch (thrown) {
    // Whoever asked does not learn its id.
    await process.stop(0);
    managed.remove(owner, process.id);
    throw thrown;
  }
}
