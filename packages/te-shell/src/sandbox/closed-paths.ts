/** A path of which a command sees nothing: a folder is empty inside the sandbox, a file cannot be opened. */
export interface Hidden {
  readonly path: string;
  readonly kind: "file" | "folder";
}

/** Paths closed to one command. The caller looks them up before the launch; links in them are resolved. */
export interface ClosedPaths {
  readonly hidden: readonly Hidden[];
  /** Read-only inside a root, because other programs execute them. */
  readonly guarded: readonly string[];
  /** Folders that keep their place, so that a guarded path cannot move away with them. */
  readonly pinned: readonly string[];
}
