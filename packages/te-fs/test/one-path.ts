import type { Undo, UndoNote } from "@llmc/te-undo";
import { transferPaths, type TransferOptions } from "../src/move/transfer.js";
import { removePaths, type RemoveOptions } from "../src/remove/remove-path.js";
import type { StaleGuard } from "../src/stale/stale-guard.js";

export async function movePath(
  undo: Undo,
  guard: StaleGuard,
  source: string,
  target: string,
  options: TransferOptions,
) {
  return first(await transferPaths(undo, guard, [source], target, { ...options, copy: false }));
}

export async function copyPath(
  undo: Undo,
  guard: StaleGuard,
  source: string,
  target: string,
  options: TransferOptions,
) {
  return first(await transferPaths(undo, guard, [source], target, { ...options, copy: true }));
}

export async function removePath(undo: Undo, guard: StaleGuard, path: string, options: RemoveOptions) {
  return first(await removePaths(undo, guard, [path], options));
}

function first<T extends object>({ paths, ...note }: UndoNote & { readonly paths: readonly T[] }): T & UndoNote {
  return { ...(paths[0] as T), ...note };
}
