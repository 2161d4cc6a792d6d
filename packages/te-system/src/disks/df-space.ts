import type { Mount } from "@llmc/procfs";
import type { Disk } from "./read-disks.js";

/** Of the root alone, by the system's df: for a machine whose table of mounts nobody may read. */
export async function rootByDf(): Promise<Disk | undefined> {
  try {
    // Its declarations are those of its CommonJS form.
    const { default: found } = await import("check-disk-space");
    const ask = found as unknown as typeof found.default;
    const { free, size } = await ask("/");
    return {
      mount: ROOT,
      kind: "disk",
      space: { totalBytes: size, usedBytes: size - free, availableBytes: free, inodes: null },
      ageMs: 0,
    };
  } catch {
    return undefined;
  }
}

const ROOT: Mount = {
  point: "/",
  root: "/",
  type: "",
  source: "",
  device: "",
  isReadOnly: false,
  isDeviceReadOnly: false,
};
