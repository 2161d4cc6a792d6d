import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface Facts {
  readonly mode: string;
  readonly owner: string;
  /** In microseconds: that much of a time is kept in a copy. */
  readonly mtime: number;
  readonly content?: string;
  readonly target?: string;
}

/** All that lies below a folder, with names as bytes. */
export function snapshot(dir: string, below = ""): Record<string, Facts> {
  const all: Record<string, Facts> = {};
  const at = (path: string): Buffer => Buffer.concat([Buffer.from(dir), Buffer.from(`/${path}`, "latin1")]);
  for (const name of readdirSync(at(below), "latin1").toSorted()) {
    const path = below === "" ? name : `${below}/${name}`;
    const stat = lstatSync(at(path), { bigint: true });
    all[path] = {
      mode: stat.mode.toString(8),
      owner: `${stat.uid}:${stat.gid}`,
      mtime: Number(stat.mtimeNs / 1000n),
      ...(stat.isFile() ? { content: readFileSync(at(path), "latin1") } : {}),
      ...(stat.isSymbolicLink() ? { target: readlinkSync(at(path), "latin1") } : {}),
    };
    if (stat.isDirectory()) Object.assign(all, snapshot(dir, path));
  }
  return all;
}
