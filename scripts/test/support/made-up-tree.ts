import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Writes a workspace into a fresh folder: sources by path, and a manifest for each package that has sources. */
export function madeUpTree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "made-up-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dirs = new Set(Object.keys(files).map((file) => file.split("/").slice(0, 2).join("/")));
  const manifests = [...dirs].map((dir) => [`${dir}/package.json`, manifest(dir.replace(/^.*\//, ""))] as const);
  for (const [file, text] of [...manifests, ...Object.entries(files)]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

const manifest = (name: string) => JSON.stringify({ name: `@llmc/${name}`, description: `The ${name}.` });

/** A source with as many lines as asked for, of which the first ones import. */
export function sourceOf(lines: number, imports: readonly string[] = []): string {
  const first = imports.map((path) => `import "${path}";`);
  return [...first, ...Array.from({ length: lines - first.length }, () => "//"), ""].join("\n");
}
