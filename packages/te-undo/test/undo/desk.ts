import { lstatSync, readdirSync, readlinkSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sha256OfBytes } from "../../../te-path/src/content/content-hash.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { openDesk, type Desk, type DeskOptions } from "./acts.js";

/** Closed after the test. */
export function deskAt(base: string, options: DeskOptions = {}): Desk {
  const desk = openDesk(base, options);
  onTestFinished(() => desk.close());
  return desk;
}

export function freshDesk(options: DeskOptions = {}): Desk {
  return deskAt(freshDir(), options);
}

export interface Facts {
  readonly mode: string;
  readonly owner: string;
  /** In units of ten microseconds: that much of a time comes back. */
  readonly mtimeUs: number;
  readonly content?: string;
  readonly target?: string;
}

/** All that a tree is, by paths whose bytes are one character each. */
export function photograph(dir: string, below = ""): Record<string, Facts> {
  const real = (path: string): Buffer => Buffer.concat([Buffer.from(`${dir}/`), Buffer.from(path, "latin1")]);
  const all: Record<string, Facts> = {};
  for (const name of readdirSync(real(below), "latin1").toSorted()) {
    const path = join(below, name);
    const stat = lstatSync(real(path), { bigint: true });
    all[path] = {
      mode: (stat.mode & 0o177777n).toString(8),
      owner: `${stat.uid}:${stat.gid}`,
      // What an undo gives back.
      mtimeUs: Number(stat.mtimeNs / 1000n),
      ...(stat.isFile() ? { content: shortly(readFileSync(real(path))) } : {}),
      ...(stat.isSymbolicLink() ? { target: readlinkSync(real(path)) } : {}),
    };
    if (stat.isDirectory()) Object.assign(all, photograph(dir, path));
  }
  return all;
}

function shortly(content: Buffer): string {
  return content.length < 1000 ? content.toString("latin1") : `${content.length} bytes: ${sha256OfBytes(content)}`;
}

/** What lies in the journal's folder, by kind. */
export function inventory(dir: string): string[] {
  const short = (name: string): string => name.replace(/^U_\w+/, "U");
  const listed = (folder: string): string[] => {
    try {
      return readdirSync(folder).map(short).toSorted();
    } catch {
      return [];
    }
  };
  return [
    ...listed(dir).filter((name) => name !== "trash"),
    ...listed(join(dir, "trash")).map((name) => `trash/${name}`),
  ];
}
