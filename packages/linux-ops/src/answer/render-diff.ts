import { posix } from "node:path";
import { header, onOneLine } from "./header.js";
import { undoNotes } from "./undo-field.js";

interface Result {
  readonly files: readonly {
    readonly path: string;
    readonly change: "modify" | "create" | "delete" | "rename" | "copy";
    readonly from?: string | undefined;
    readonly notes?: readonly string[] | undefined;
  }[];
  readonly notes?: readonly string[] | undefined;
  readonly backups?: readonly string[] | undefined;
  readonly dry_run?: true | undefined;
  readonly undo?: { readonly id: string } | null | undefined;
  readonly undo_reason?: string | undefined;
}

type File = Result["files"][number];

/** One line for a diff of one file; of several, a line for each, below the folder that they share. */
export function renderDiff(result: Result): string {
  return [renderFiles(result), ...(result.notes ?? []).map(onOneLine)].join("\n");
}

function renderFiles(result: Result): string {
  const [file, second] = result.files;
  if (file === undefined) return header("", notesOf(result));
  if (second === undefined) return header(file.path, [...saying(file, ""), ...notesOf(result)]);
  const folder = sharedFolder(result.files.map(({ path }) => path));
  const head = header(`${result.files.length} files`, notesOf(result));
  return [head, ...result.files.map((one) => header(below(one.path, folder), saying(one, folder)))].join("\n");
}

const DONE = { modify: "changed", create: "new", delete: "deleted", rename: "renamed", copy: "copied" };

function saying({ change, from, notes = [] }: File, folder: string): string[] {
  const source = from === undefined ? "" : ` from ${onOneLine(below(from, folder))}`;
  return [`${DONE[change]}${source}`, ...notes];
}

function notesOf({ backups = [], dry_run, ...result }: Result): string[] {
  const notes = backups.map((path) => `backup: ${onOneLine(posix.basename(path))}`);
  if (dry_run === true) notes.unshift("dry run, nothing changed");
  return [...notes, ...undoNotes(result)];
}

function sharedFolder([first = "/", ...others]: readonly string[]): string {
  let folder = posix.dirname(first);
  while (folder !== "/" && !others.every((path) => path.startsWith(`${folder}/`))) folder = posix.dirname(folder);
  return folder;
}

function below(path: string, folder: string): string {
  return folder !== "" && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}
