import { settingsOf, type McpInput } from "@llmc/config";
import type { CallResult } from "@llmc/toolkit";
import { openServices, VERSION } from "../../../../src/index.js";
import { openReaders } from "../../../../src/tools/fs/reading/open-readers.js";
import type { Readers } from "../../../../src/context/readers.js";

export interface CallSetting {
  readonly readers?: Partial<Readers>;
  readonly mcp?: McpInput;
  readonly signal?: AbortSignal;
}

/** One call of linux.fs_read where other things are installed than here. */
export async function callWith(root: string, args: object, setting: CallSetting = {}): Promise<CallResult> {
  const services = openServices({
    settings: settingsOf({ roots: [root], mcp: setting.mcp ?? {} }),
    version: VERSION,
    log: null,
    readers: { ...openReaders(), ...setting.readers },
  });
  try {
    const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
    return await services.dispatcher.call("linux.fs_read", args, { session, entry: "library", signal: setting.signal });
  } finally {
    await services.close();
  }
}
