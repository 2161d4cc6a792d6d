/** Whether a change can be taken back. */
export interface UndoNote {
  readonly undo: { readonly id: string; readonly held_bytes: number } | null;
  /** Why not. */
  readonly undo_reason?: string;
}
