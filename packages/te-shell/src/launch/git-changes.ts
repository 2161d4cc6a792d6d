import { closeSync, constants, fstatSync, opendirSync, openSync, readSync } from "node:fs";
import type { GitSetting } from "../sandbox/git-keys.js";
import { CHANGES_FOLDER, LIST } from "../sandbox/git-shim.js";

/** Config that git left for a repository, as reported by the command, which may make up every word. */
export interface WantedConfig {
  /** Folder that holds the config. */
  readonly folder: string;
  readonly settings: readonly GitSetting[];
}

const MOST_ENTRIES = 256;
const MOST_LISTS = 8;
const MOST_BYTES = 64 * 1024;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/**
 * Reads the lists of an ended command without following symlinks, because other commands of its session may still write
 * there.
 */
export function readGitChanges(tmp: string, mark: string): readonly WantedConfig[] {
  return within(tmp, (outer) =>
    within(`${outer}/${CHANGES_FOLDER}${mark}`, (folder) =>
      listsIn(folder).flatMap((name) => parsed(contentOf(`${folder}/${name}`)) ?? []),
    ),
  );
}

/** Works with a folder through its descriptor; returns nothing for any other file. */
function within(path: string, work: (folder: string) => readonly WantedConfig[]): readonly WantedConfig[] {
  const fd = opened(path, O_DIRECTORY);
  if (fd === undefined) return [];
  try {
    return work(`/proc/self/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

function listsIn(folder: string): string[] {
  const names: string[] = [];
  const entries = opendirSync(folder);
  try {
    for (let count = 0; count < MOST_ENTRIES && names.length < MOST_LISTS; count += 1) {
      const entry = entries.readSync();
      if (entry === null) break;
      if (entry.name.endsWith(LIST)) names.push(entry.name);
    }
  } finally {
    entries.closeSync();
  }
  return names.toSorted();
}

function contentOf(path: string): Buffer {
  const fd = opened(path, O_NONBLOCK);
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MOST_BYTES) return Buffer.alloc(0);
    const bytes = Buffer.alloc(stat.size);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}

function opened(path: string, flags: number): number | undefined {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | flags);
  } catch {
    return undefined;
  }
}

/** Parses a list: the folder and then each setting, all ended by a NUL. */
function parsed(bytes: Buffer): WantedConfig | undefined {
  const [folder = "", ...entries] = bytes.toString().split("\0");
  return folder.startsWith("/") ? { folder, settings: settingsOf(entries) } : undefined;
}

/** Splits entries into key and value. An entry without a newline has no value, so git reads it as true. */
export function settingsOf(entries: readonly string[]): GitSetting[] {
  return entries
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}
