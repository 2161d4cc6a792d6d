import type { McpConfig } from "@llmc/config";
import type { Advice } from "@llmc/errors";
import type { HandleStore } from "@llmc/handles";
import type { Files, LineIndexCache } from "@llmc/te-fs";
import type { Search } from "@llmc/te-search";
import type { System } from "@llmc/te-system";
import type { ManagedProcesses } from "@llmc/te-process";
import type { Commands } from "@llmc/te-shell";
import { toolFactory, type CallContext } from "@llmc/toolkit";
import type { ProcessWorld } from "./process-world.js";
import type { Readers } from "./readers.js";
import type { Lazy } from "./lazily.js";
import type { KeptAnswers } from "./kept-answers.js";

/** What a linux.* handler may use beside its arguments. */
export interface LinuxOpsContext extends CallContext {
  readonly mcp: McpConfig;
  readonly files: Files;
  readonly lineIndex: LineIndexCache;
  /** Opened at the first call that needs it. */
  readonly handles: () => Promise<HandleStore>;
  readonly readers: Readers;
  /** Opened at the first call that needs it. */
  readonly search: () => Promise<Search>;
  readonly processes: () => ProcessWorld;
  readonly system: Lazy<System>;
  readonly keptAnswers: KeptAnswers;
  /** Made at the first call that needs it. */
  readonly commands: () => Promise<Commands>;
  /** Programs that live on between calls. */
  readonly managed: ManagedProcesses;
  readonly health: () => Promise<HealthReport>;
  /** Words advice of lower packages for the model. */
  readonly hintOf: (advice: Advice) => string;
}

export interface HealthReport {
  readonly version: string;
  readonly driver: string;
  readonly engines: Readonly<Record<string, string | null>>;
  readonly sandbox: string;
  readonly uptimeSec: number;
  readonly roots: readonly string[];
  readonly problems: readonly string[];
}

export const defineTool = toolFactory<LinuxOpsContext>();
