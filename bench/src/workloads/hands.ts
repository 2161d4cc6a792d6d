import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { LinuxOps } from "@llmc/linux-ops";
import type { Edit, Patch } from "../measure/versions.js";

/** What is done to files, by us or by nobody but the kernel. */
export interface Hand {
  /** How many entries there are in and below a folder. */
  readonly list: (path: string) => Promise<number>;
  readonly write: (path: string, content: string) => Promise<unknown>;
  readonly patch: (path: string, edit: Edit) => Promise<unknown>;
  readonly diff: (path: string, patch: Patch) => Promise<unknown>;
  readonly remove: (path: string) => Promise<unknown>;
  /** Undefined: what it removes is gone. */
  readonly takeBack: ((path: string) => Promise<unknown>) | undefined;
  readonly move: (source: string, target: string) => Promise<unknown>;
}

/** The calls without which none of it can be done, all synchronous: nothing costs less. */
export const bare: Hand = {
  list: (path) => now(() => countEntries(path)),
  write: (path, content) => now(() => writeDurably(path, content)),
  patch: (path, { content }) => now(() => rewriteDurably(path, content)),
  diff: (path, { content }) => now(() => rewriteDurably(path, content)),
  remove: (path) => now(() => rmSync(path, { recursive: true })),
  takeBack: undefined,
  move: (source, target) => now(() => renameSync(source, target)),
};

/** Removes as one does who wants it back. */
export const renaming: Hand = {
  ...bare,
  remove: (path) => now(() => renameSync(path, trashOf(path))),
  takeBack: (path) => now(() => renameSync(trashOf(path), path)),
};

export function oursWith(ops: LinuxOps, isUndoOn: boolean): Hand {
  return {
    list: async (path) => (await ops.call("linux.fs_list", { path })).total_entries,
    write: (path, content) => ops.call("linux.fs_write", { path, content }),
    patch: (path, { oldText, newText }) =>
      ops.call("linux.fs_patch_block", { path, old_text: oldText, new_text: newText }),
    diff: (path, { diff }) => ops.call("linux.fs_apply_diff", { diff_text: diff, cwd: dirname(path) }),
    remove: (path) => ops.call("linux.fs_delete", { path, recursive: true }),
    takeBack: isUndoOn ? () => ops.call("linux.fs_undo", {}) : undefined,
    move: (source, target) => ops.call("linux.fs_move", { source, target }),
  };
}

function now<T>(work: () => T): Promise<T> {
  return Promise.resolve(work());
}

function countEntries(folder: string): number {
  const names = readdirSync(folder);
  return names.reduce((count, name) => {
    const path = `${folder}/${name}`;
    return count + (lstatSync(path).isDirectory() ? countEntries(path) : 0);
  }, names.length);
}

function rewriteDurably(path: string, content: string): void {
  readFileSync(path);
  writeDurably(path, content);
}

/** The least by which a file is the old or the new one after a power cut, and the new one once this has returned. */
function writeDurably(path: string, content: string): void {
  const temp = `${path}.new`;
  synced(temp, "wx", (file) => writeSync(file, content));
  renameSync(temp, path);
  synced(dirname(path), "r", () => {});
}

function synced(path: string, flags: string, work: (file: number) => void): void {
  const file = openSync(path, flags);
  work(file);
  fsyncSync(file);
  closeSync(file);
}

const trashOf = (path: string) => `${path}.trash`;
