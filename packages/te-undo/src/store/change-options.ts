/** Who asks for a change. */
export interface ChangeOptions {
  /** The principal that may undo the change by its id. */
  readonly owner: string;
  /** Session of the "last change" and of the stale guard. */
  readonly session: string;
  /** Base of relative paths; the first root by default. */
  readonly cwd?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the progress of a long change. */
  readonly progress?: ((message: string) => void) | undefined;
}
