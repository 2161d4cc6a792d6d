import type { KernelTree } from "../ask/kernel-tree.js";

export interface Distribution {
  readonly name: string | null;
  readonly version: string | null;
}

/** os-release(5). */
export function distributionOf(files: KernelTree): Distribution {
  const text = files.text("etc/os-release") ?? files.text("usr/lib/os-release") ?? "";
  const value = (key: string): string | null => {
    const found = new RegExp(`^${key}=(.*)$`, "m").exec(text)?.[1];
    return found === undefined ? null : found.replace(/^(["'])(.*)\1$/, "$2").replace(/\\(.)/g, "$1") || null;
  };
  return { name: value("NAME"), version: value("VERSION_ID") };
}
