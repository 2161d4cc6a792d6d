import type { Advice } from "@llmc/errors";
import type { CommandLimits } from "@llmc/commands";
import type { Database, HandleStore } from "@llmc/handles";
import type { Files, LineIndexCache } from "@llmc/te-fs";
import type { ManagedProcesses } from "@llmc/te-process";
import type { Search } from "@llmc/te-search";
import type { Commands } from "@llmc/te-shell";
import type { ProcessWorld } from "./process-world.js";
import type { Readers } from "./readers.js";

/** Services shared by all tool modules. The server opens and closes each service; a function opens at its first call. */
export interface SharedServices {
  readonly files: Files;
  readonly lineIndex: LineIndexCache;
  readonly database: () => Promise<Database>;
  readonly handles: () => Promise<HandleStore>;
  readonly readers: Readers;
  readonly search: () => Promise<Search>;
  readonly processes: () => ProcessWorld;
  readonly commands: () => Promise<Commands>;
  readonly limits: CommandLimits;
  /** Programs that live on between calls. */
  readonly managed: ManagedProcesses;
  /** Tells the operator, in the log and in the health report. */
  readonly report: (problem: string) => void;
  /** Words advice of lower packages for the model, because those know no names of tools, arguments or settings. */
  readonly hintOf: (advice: Advice) => string;
  /** The report on the whole server, with the facts of every module. */
  readonly health: () => Promise<HealthReport>;
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
