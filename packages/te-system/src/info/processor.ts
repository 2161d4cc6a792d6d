import { numberIn, type KernelTree } from "../ask/kernel-tree.js";

export interface Processor {
  /** Null where this architecture does not tell. */
  readonly model: string | null;
  readonly cores: number | null;
  readonly threads: number | null;
  readonly hasHypervisor: boolean;
}

/** What x86, ARM boards, MIPS, RISC-V, POWER and s390x call it, the most telling first. */
const MODEL_KEYS = ["model name", "Model", "Hardware", "cpu model", "uarch", "cpu", "vendor_id"];

export function processorOf(proc: KernelTree, sys: KernelTree): Processor {
  const text = proc.text("cpuinfo") ?? "";
  const blocks = text.split(/\n\s*\n/).filter((block) => /^processor\s*:/m.test(block));
  const threads = blocks.length > 0 ? blocks.length : null;
  return {
    model: modelIn(text),
    cores: coresIn(blocks) ?? coresBelow(sys) ?? threads,
    threads,
    hasHypervisor: /^flags\s*:.*\bhypervisor\b/m.test(text),
  };
}

function modelIn(text: string): string | null {
  for (const key of MODEL_KEYS) {
    const found = new RegExp(`^${key}\\s*:\\s*(.+)$`, "m").exec(text)?.[1];
    if (found !== undefined) return found.replace(/\s+/g, " ").trim();
  }
  return null;
}

function coresIn(blocks: readonly string[]): number | null {
  const ids = blocks.map((block) => [
    /^physical id\s*:\s*(\d+)/m.exec(block)?.[1],
    /^core id\s*:\s*(\d+)/m.exec(block)?.[1],
  ]);
  return ids.length > 0 && ids.every(([, core]) => core !== undefined) ? new Set(ids.map(String)).size : null;
}

function coresBelow(sys: KernelTree): number | null {
  const folder = "devices/system/cpu";
  const ids = sys
    .names(folder)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) =>
      ["physical_package_id", "core_id"].map((file) => numberIn(sys.text(`${folder}/${name}/topology/${file}`))),
    );
  const known = ids.filter(([, core]) => core !== null);
  return known.length > 0 ? new Set(known.map(String)).size : null;
}
