import type { KernelFiles } from "@llmc/procfs";

/** One of the kernel's trees of small files, such as /sys. */
export interface KernelTree {
  /** A file's text without its last newline; undefined where there is none, or it says nothing. */
  text(path: string): string | undefined;
  names(path: string): readonly string[];
  link(path: string): string | undefined;
}

export function kernelTree(root: string, files: KernelFiles): KernelTree {
  return {
    text(path) {
      const text = files.text(`${root}/${path}`)?.trim();
      return text === "" ? undefined : text;
    },
    names: (path) => files.names(`${root}/${path}`)?.toSorted() ?? [],
    link: (path) => files.link(`${root}/${path}`),
  };
}

/** Null where it is no number. */
export function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : null;
}
