/** Folders that a README lists, in its order: items or table rows below "Folders", as in "1. `process/`: …". */
export function listedFolders(readme: string): string[] {
  const [, section = ""] = readme.split(/^(?:## Folders|The folders of `src`).*$/m);
  return [...section.matchAll(/^(?:\d+\.|-|\|) `([\w-]+)\/?`/gm)].map(([, name]) => name ?? "");
}
