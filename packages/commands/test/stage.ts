import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandleStore, openDatabase, type HandleStore } from "@llmc/handles";
import { openFiles } from "@llmc/te-fs";
import { ManagedProcesses } from "@llmc/te-process";
import { openCommands } from "@llmc/te-shell";
import { onTestFinished } from "vitest";
import { commandTimes, type CommandContext, type OnceRequest } from "../src/index.js";

export const KEPT_BYTES = 100_000;

export interface Stage {
  /** The only root, fresh. */
  readonly root: string;
  readonly managed: ManagedProcesses;
  readonly handles: HandleStore;
  /** The context of a call of `session`, over stdio. */
  context(call?: Partial<CommandContext>): CommandContext;
}

/** Real files, programs on this machine without a sandbox, and handles in memory. */
export async function openStage({ perOwner = 8 }: { readonly perOwner?: number } = {}): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "commands-")));
  const files = openFiles({ roots: [root], home: root, privatePaths: [] });
  const commands = openCommands({
    lists: { allowUnsafe: true },
    sandbox: "off",
    network: false,
    hostView: false,
    pathExtra: [],
    sandboxRead: [],
    sandboxWrite: [],
    envPass: [],
    maxPids: 512,
    maxMemoryMb: 0,
    home: root,
    roots: () => files.roots,
    stateDir: null,
  });
  const managed = new ManagedProcesses({
    limits: { perOwner, total: 16, idleMs: 3_600_000 },
    waitsForInput: () => undefined,
  });
  const database = await openDatabase({ dataDir: null, warn: () => {} });
  const limits = { maxTotalBytes: 10_000_000, maxPayloadBytes: KEPT_BYTES, maxAgeHours: 1 };
  const handles = await createHandleStore(database, { limits });
  onTestFinished(async () => {
    await managed.close();
    await commands.close();
    await handles.close();
    await database.close();
    files.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { root, managed, handles, context };

  function context(call: Partial<CommandContext> = {}): CommandContext {
    return {
      session: { id: "session", agentId: "agent", model: "model", token: "token", owner: "owner" },
      entry: "stdio",
      correlationId: "c",
      signal: new AbortController().signal,
      progress: () => {},
      recordEnvelope: () => {},
      given: new Set(),
      files,
      commands: async () => commands,
      managed,
      handles: async () => handles,
      hintOf: (advice) => (typeof advice === "string" ? advice : advice.id),
      ...call,
    };
  }
}

/** A request for a line of bash that gets 25 seconds and is never handed over. */
export function bash(line: string, request: Partial<OnceRequest> = {}): OnceRequest {
  return {
    command: { argv: ["bash", "-c", line] },
    cwd: undefined,
    use: "command",
    times: commandTimes(undefined, { usual: 25, handOver: undefined }),
    keptBytes: KEPT_BYTES,
    tool: "a tool",
    ...request,
  };
}
