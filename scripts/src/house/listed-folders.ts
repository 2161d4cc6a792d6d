/** Folders that a README lists, in its order: items that begin with the folder, as in "1. `process/`: …". */
export function listedFolders(readme: string): string[] {
  return [...readme.matchAll(/^(?:\d+\.|-) `([\w-]+)\/?`/gm)].map(([, name]) => name ?? "");
}
