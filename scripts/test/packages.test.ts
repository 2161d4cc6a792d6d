import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { Tables } from "../src/plants.js";
import { layeredPackages, publicPackages, readManifest, ROOT, workspacePackages } from "../src/workspace.js";

const root = readManifest(ROOT);
const packages = layeredPackages();
const libraries = packages.filter(({ dir }) => dir.startsWith("packages/"));
const apps = packages.filter(({ dir }) => dir.startsWith("apps/"));
const titled = (list: typeof packages) => list.map((one) => [one.dir, one] as const);

test("every folder has a row in the table of layers, and every row a folder", async () => {
  const { MAY_IMPORT, APPS } = (await import(join(ROOT, ".dependency-cruiser.mjs"))) as Tables;
  const rows = [...Object.keys(MAY_IMPORT).map((name) => `packages/${name}`), ...APPS.map((name) => `apps/${name}`)];

  expect(rows.toSorted()).toEqual(packages.map(({ dir }) => dir).toSorted());
});

test("all packages are released together, in one group", () => {
  const { fixed, ignore } = JSON.parse(readFileSync(join(ROOT, ".changeset/config.json"), "utf8")) as {
    fixed: string[][];
    ignore: string[];
  };

  expect(fixed.map((group) => group.toSorted())).toEqual([
    publicPackages()
      .map(({ manifest }) => manifest.name)
      .toSorted(),
  ]);
  expect(ignore).toEqual([]);
});

// A workspace package there would resolve from every package, declared or not, and an edit in it would miss every cache.
test("the root depends on no package of the workspace", () => {
  const names = Object.keys({ ...root.dependencies, ...root.devDependencies, ...root.optionalDependencies });

  expect(names.filter((name) => name.startsWith("@llmc/"))).toEqual([]);
});

describe.for(titled(workspacePackages()))("%s", ([dir, { manifest }]) => {
  test("is named, licensed and bound to the Node versions as all are", () => {
    expect({
      name: manifest.name,
      license: manifest["license"],
      type: manifest["type"],
      engines: manifest["engines"],
      described: typeof manifest["description"],
    }).toEqual({
      name: `@llmc/${dir.split("/").at(-1)}`,
      license: "MIT",
      type: "module",
      engines: root["engines"],
      described: "string",
    });
  });

  test("takes every version from the catalogue or from the workspace", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });

    expect(
      wanted.filter(([name, version]) => version !== (name.startsWith("@llmc/") ? "workspace:*" : "catalog:")),
    ).toEqual([]);
  });
});

describe.for(titled(packages))("%s", ([dir]) => {
  test("says in a README what it does and what it must not", () => {
    expect(existsSync(join(ROOT, dir, "README.md"))).toBe(true);
  });
});

describe.for(titled(libraries))("%s", ([dir, { manifest }]) => {
  const source = readFileSync(join(ROOT, dir, "src/index.ts"), "utf8");

  test("has one entry: the source for us, the build for everybody else", () => {
    const built = { types: "./dist/index.d.ts", default: "./dist/index.js" };
    const published = { access: "public", exports: { ".": built } };

    expect({ exports: manifest.exports, sideEffects: manifest["sideEffects"] }).toEqual({
      exports: { ".": { "llmc-source": "./src/index.ts", ...built } },
      sideEffects: false,
    });
    expect(manifest["publishConfig"]).toEqual(manifest.private === true ? undefined : published);
    expect(manifest["files"]).toEqual(manifest.private === true ? undefined : ["dist", "!dist/.tsbuildinfo"]);
  });

  test("exports by name, on purpose, from this one index.ts", () => {
    const others = readdirSync(join(ROOT, dir, "src"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith("/index.ts"),
    );

    expect({ others, unnamed: unnamedExports(source) }).toEqual({ others: [], unnamed: [] });
  });

  test("builds after exactly what it depends on", () => {
    const file = join(ROOT, dir, "tsconfig.json");
    const { references = [] } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)).config as {
      references?: { path: string }[];
    };
    const { dependencies, optionalDependencies } = manifest;
    const wanted = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) =>
      name.startsWith("@llmc/"),
    );

    expect(references.map(({ path }) => path).toSorted()).toEqual(
      wanted.map((name) => name.replace("@llmc/", "../")).toSorted(),
    );
  });
});

test("nothing that is published depends on what is not", () => {
  const kept = new Set(
    workspacePackages().flatMap(({ manifest }) => (manifest.private === true ? [manifest.name] : [])),
  );
  const needed = publicPackages().flatMap(({ manifest: { dependencies, optionalDependencies } }) =>
    Object.keys({ ...dependencies, ...optionalDependencies }),
  );

  expect(needed.filter((name) => kept.has(name))).toEqual([]);
});

/** Commands of the apps that are not servers. */
const COMMANDS: Readonly<Record<string, object>> = { "apps/te": { llmc: "dist/llmc.js", te: "dist/main.js" } };

describe.for(titled(apps))("%s", ([dir, { manifest }]) => {
  test("is bundled, with nothing to install but what is native", () => {
    expect({
      bin: manifest.bin,
      files: manifest["files"],
      publishConfig: manifest["publishConfig"],
      dependencies: manifest.dependencies,
    }).toEqual({
      bin: COMMANDS[dir] ?? { [`llmc-${dir.replace("apps/", "")}`]: "dist/main.js" },
      files: ["dist"],
      publishConfig: { access: "public" },
      dependencies: undefined,
    });
  });
});

/** `export *`, `export default`, `export =`, and anything that is neither an export nor a comment. */
function unnamedExports(source: string): string[] {
  const { statements } = ts.createSourceFile("index.ts", source, ts.ScriptTarget.Latest, true);
  return statements.filter((statement) => !isNamed(statement)).map((statement) => statement.getText());
}

function isNamed(statement: ts.Statement): boolean {
  if (!ts.isExportDeclaration(statement)) return false;
  return (
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause) &&
    statement.exportClause.elements.length > 0
  );
}
