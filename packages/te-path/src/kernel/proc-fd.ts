import { readlinkSync } from "node:fs";

/** Where the kernel shows our descriptors. Not through the link of /proc/self, which is resolved each time; where it says otherwise, /proc is another's. */
export const PROC_FD = ownProc() === `${process.pid}` ? `/proc/${process.pid}/fd` : "/proc/self/fd";

function ownProc(): string | undefined {
  try {
    return readlinkSync("/proc/self");
  } catch {
    return undefined;
  }
}
