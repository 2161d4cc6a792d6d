/** Who asks for a change. */
export interface ChangeOptions {
  /** The principal that may undo the change by its id. */
  readonly owner: string;
  /** The session whose "last change" it is, and which is told when another program changes a file that it read. */
  readonly session: string;
  /** The folder of relative paths; without it the first root. */
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told the progress of a long change, now and then. */
  readonly progress?: ((message: string) => void) | undefined;
}
