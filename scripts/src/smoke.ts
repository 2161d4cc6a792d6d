// Installs the packed tarballs into an empty project, as a stranger would with npm, and uses them in all three ways.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packAll } from "./pack.js";
import { installTarballs } from "./smoke/install.js";
import { askHttp } from "./smoke/http.js";
import { askLibrary } from "./smoke/library.js";
import { askStdio } from "./smoke/stdio.js";
import { askTe } from "./smoke/te.js";
import { checkTypes } from "./smoke/types.js";
import { publicPackages } from "./workspace.js";

const { values } = parseArgs({
  options: {
    node: { type: "string", default: process.execPath },
    expect: { type: "string" },
    "ignore-scripts": { type: "boolean", default: false },
    tarballs: { type: "string" },
    types: { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), "smoke-"));
try {
  const files = join(folder, "files");
  mkdirSync(files);
  writeFileSync(join(files, "note.txt"), "one\ntwo\nthree\n");
  const project = join(folder, "project");
  const tarballs = await packInto(values.tarballs ?? join(folder, "tarballs"));
  await installTarballs({ project, tarballs, node: values.node, ignoreScripts: values["ignore-scripts"] });

  if (values.types) {
    const libraries = publicPackages().filter(({ manifest }) => manifest.exports !== undefined);
    const names = libraries.map(({ manifest }) => manifest.name);
    await checkTypes(project, names);
    console.log(`smoke: the declarations of ${names.length} packages check`);
  }
  const site = { node: values.node, project, files, state: join(folder, "state") };
  const drivers = { library: await askLibrary(site), stdio: await askStdio(site), http: await askHttp(site) };
  for (const [entry, driver] of Object.entries(drivers)) report(entry, driver);
  console.log(`smoke: te ${await askTe(site, drivers.stdio !== "memory")} loses nothing of a long output`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs into the folder, or takes what an earlier run packed there. */
async function packInto(to: string): Promise<ReadonlyMap<string, string>> {
  mkdirSync(to, { recursive: true });
  const packed = publicPackages().map(({ manifest: { name, version } }) => {
    return [name, join(to, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)] as const;
  });
  if (!packed.every(([, tarball]) => existsSync(tarball))) await packAll(to);
  return new Map(packed);
}

function report(entry: string, driver: string): void {
  const expected = values.expect ?? driver;
  console.log(
    `smoke: ${entry} reads a file, driver ${driver}${driver === expected ? "" : `, but ${expected} was meant`}`,
  );
  if (driver !== expected) process.exitCode = 1;
}
