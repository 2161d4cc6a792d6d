import { contains, buildEnv, pathFolders } from "@llmc/te-run";

export interface PathSources {
  readonly extra: readonly string[];
  /** Of the toolchains in the home of the server's user. */
  readonly bins: readonly string[];
  readonly isHeld: boolean;
  /** Our own PATH: which of several versions our user has chosen. */
  readonly own?: string | undefined;
  /** Folders that a command sees beside the system's. */
  readonly shown?: readonly string[];
}

const SYSTEM = ["/usr", "/opt", "/nix", "/gnu"];

/**
 * Rebuilt, never taken over. What the user has installed for himself goes before the system's in a sandbox; without one it
 * goes behind, where it can stand in for nothing.
 */
export function commandPath({ extra, bins, isHeld, own = "", shown = [] }: PathSources): readonly string[] {
  const system = pathFolders(buildEnv({}).PATH ?? "");
  const chosen = pathFolders(own).filter((folder) => [...SYSTEM, ...shown].some((outer) => contains(outer, folder)));
  const ofUser = chosen.filter((folder) => !system.includes(folder));
  const all = isHeld ? [...extra, ...ofUser, ...bins, ...system] : [...extra, ...system, ...bins];
  return [...new Set(all.map((folder) => folder.replace(/(?<=.)\/+$/, "")))];
}
