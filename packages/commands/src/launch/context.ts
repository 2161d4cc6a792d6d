import type { Advice } from "@llmc/errors";
import type { HandleStore } from "@llmc/handles";
import type { Files } from "@llmc/te-fs";
import type { ManagedProcesses } from "@llmc/te-process";
import type { Commands } from "@llmc/te-shell";
import type { CallContext } from "@llmc/toolkit";

/** The call that asks for a command, and the open services that a command needs. */
export interface CommandContext extends CallContext {
  readonly files: Files;
  /** Opened at the first call that needs it. */
  readonly commands: () => Promise<Commands>;
  /** Programs that live on between calls. */
  readonly managed: ManagedProcesses;
  /** Opened at the first call that needs it. */
  readonly handles: () => Promise<HandleStore>;
  /** Words advice for the model. A function, because this package knows no names of tools, arguments or settings. */
  readonly hintOf: (advice: Advice) => string;
}
