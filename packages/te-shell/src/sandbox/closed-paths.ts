/** A path hidden from a command. Inside the sandbox a folder is empty, and a file cannot be opened. */
export interface Hidden {
  readonly path: string;
  readonly kind: "file" | "folder";
}

/** Paths closed to one command, with symlinks resolved. The caller looks up the paths before the launch. */
export interface ClosedPaths {
  readonly hidden: readonly Hidden[];
  /** Read-only inside a root, because other programs execute them. */
  readonly guarded: readonly string[];
  /** Folders that keep their place, so that a guarded path cannot move away with them. */
  readonly pinned: readonly string[];
}
