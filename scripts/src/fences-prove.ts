// A fence that nobody has seen stop anything is a hope. Every violation is planted in a copy and has to be named.
import { join } from "node:path";
import { execa } from "execa";
import { cruiseWorkspace, type CruiseReport } from "./cruise.js";
import { folderPlants } from "./folder-plants.js";
import { allowedPlants, lintPlants } from "./lint-plants.js";
import { fencePlants, layerPlants, singlePlants, type Plant } from "./plants.js";
import { tables } from "./tables.js";
import { copyWorkspace, type WorkspaceCopy } from "./workspace-copy.js";
import { layeredPackages, ROOT } from "./workspace.js";

const problems: string[] = [];

await proveClean();
const imports = await proveImports();
await proveLive();
const lints = await proveLint();

for (const problem of problems) console.error(problem);
console.log(`fences:prove: ${imports} imports and ${lints} lines planted, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

async function proveClean(): Promise<void> {
  using copy = copyWorkspace();
  const { modules, violations } = await cruiseWorkspace(copy.root);
  if (modules.length === 0) problems.push("The unmodified copy has no modules: nothing was checked.");
  for (const { rule, from, to } of violations)
    problems.push(`The unmodified copy is not clean: ${rule}, ${from} → ${to}`);
}

// All plants lie in one copy, each in a file of its own: what is asked of each is the rule that names that very file.
async function proveImports(): Promise<number> {
  using copy = copyWorkspace();
  standInApps(copy);
  const plants = [...layerPlants(tables), ...fencePlants(tables), ...folderPlants(tables), ...singlePlants()];
  plant(copy, plants);
  const { violations } = await cruiseWorkspace(copy.root);
  for (const { rule, what, file, beside = {} } of plants) {
    // The cruiser reports a cycle once, from either of its ends.
    const files = [file, ...Object.keys(beside)];
    const seen = violations.filter(({ from }) => files.includes(from)).map((violation) => violation.rule);
    if (!seen.includes(rule))
      problems.push(`${rule} did not fire for ${what} (${file}); seen: ${seen.join(", ") || "nothing"}`);
  }
  return plants.length;
}

/** Two ways to lose the fences without a violation; `fence-is-live` has to fire in both. */
async function proveLive(): Promise<void> {
  using cut = copyWorkspace();
  cut.write("packages/linux-ops/src/index.ts", "export const planted = 1;\n");
  expectDead(await cruiseWorkspace(cut.root), "linux-ops does not lead to toolkit");

  using built = copyWorkspace();
  for (const { dir } of layeredPackages()) built.write(`${dir}/dist/index.js`, "export const planted = 1;\n");
  const report = await cruiseWorkspace(built.root, ({ enhancedResolveOptions }) => {
    if (enhancedResolveOptions !== undefined) enhancedResolveOptions.conditionNames = ["import", "node", "default"];
  });
  expectDead(report, "the condition `llmc-source` is lost and dist/ is there");
}

function expectDead({ violations }: CruiseReport, what: string): void {
  if (!violations.some(({ rule }) => rule === "fence-is-live")) problems.push(`fence-is-live did not fire: ${what}`);
}

async function proveLint(): Promise<number> {
  using copy = copyWorkspace();
  standInApps(copy);
  const plants = lintPlants();
  plant(copy, [...plants, ...allowedPlants()]);
  const found = await lint(copy.root);
  for (const { rule, what, file } of plants) {
    if (!found.some((one) => one.file === file && one.rule === rule))
      problems.push(`oxlint's ${rule} did not fire: ${what}`);
  }
  for (const { file, what } of allowedPlants()) {
    for (const one of found)
      if (one.file === file) problems.push(`oxlint's ${one.rule} fired where it may not: ${what}`);
  }
  return plants.length;
}

async function lint(root: string): Promise<{ file: string; rule: string }[]> {
  const options = { cwd: root, stdin: "ignore", timeout: 120_000, reject: false } as const;
  const { stdout, message } = await execa(join(ROOT, "node_modules/.bin/oxlint"), ["-f", "json"], options);
  // A linter that finds something fails too, so only a run without a report is an error.
  if (!stdout.startsWith("{")) throw new Error(message ?? `oxlint printed no report: ${stdout}`);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  return diagnostics.map(({ filename, code }) => ({ file: filename, rule: /\(([^)]*)\)$/.exec(code)?.[1] ?? code }));
}

function plant(copy: WorkspaceCopy, plants: readonly Omit<Plant, "rule">[]): void {
  for (const { file, text, beside = {} } of plants) {
    for (const [name, content] of Object.entries({ ...beside, [file]: text })) copy.write(name, content);
  }
}

// An app exports nothing; to prove that apps cannot use each other it has to be something that could be imported.
function standInApps(copy: WorkspaceCopy): void {
  for (const app of tables.APPS) {
    const manifest = { name: `@llmc/${app}`, type: "module", exports: { ".": "./src/planted-entry.ts" } };
    copy.write(`apps/${app}/package.json`, JSON.stringify(manifest));
    copy.write(`apps/${app}/src/planted-entry.ts`, 'export * from "node:path";\n');
    copy.relink(`node_modules/@llmc/${app}`, `apps/${app}`);
  }
}
