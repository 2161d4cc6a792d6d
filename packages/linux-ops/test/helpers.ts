import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "vitest";
import { settingsOf, type McpInput } from "@llmc/config";
import { createLinuxOps, openServices, VERSION, type LinuxOps } from "../src/index.js";

export interface Fixtures {
  /** A fresh folder that is the only root. */
  readonly root: string;
  readonly ops: LinuxOps;
}

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "linux-ops-")));
  await use(folder);
  await rm(folder, { recursive: true, force: true });
}

async function withOps(ops: LinuxOps, use: (ops: LinuxOps) => Promise<void>): Promise<void> {
  await use(ops);
  await ops.close();
}

export const test = base.extend<Fixtures>({
  root: ({}, use) => withFolder(use),
  ops: ({ root }, use) => withOps(createLinuxOps({ roots: [root] }), use),
});

/** The same with a data dir, and so with undo. */
export const kept = base.extend<Fixtures & { readonly dataDir: string }>({
  root: ({}, use) => withFolder(use),
  dataDir: ({}, use) => withFolder(use),
  ops: ({ root, dataDir }, use) => withOps(createLinuxOps({ roots: [root], dataDir }), use),
});

/** A library whose settings differ from the defaults. */
export function opsWith(root: string, mcp: McpInput): LinuxOps {
  return createLinuxOps({ config: settingsOf({ roots: [root], mcp }) });
}

/** Answers as a model reads them. */
export async function textOf(root: string, name: string, args: unknown, mcp: McpInput = {}): Promise<string> {
  const services = openServices({ settings: settingsOf({ roots: [root], mcp }), version: VERSION, log: null });
  try {
    const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
    return (await services.dispatcher.call(name, args, { session, entry: "library" })).text();
  } finally {
    await services.close();
  }
}

/** `count` lines "1", "2", … */
export function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");
}
