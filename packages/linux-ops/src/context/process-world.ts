import type { Procfs } from "@llmc/procfs";
import type { View } from "@llmc/te-process";

/** The processes of this machine, and whose of them may be seen and signalled. */
export interface ProcessWorld {
  readonly procfs: Procfs;
  readonly view: View;
  readonly allowOtherUsers: boolean;
}
