import { InvalidArgumentError } from "@llmc/errors";
import { readBytes, type Files } from "@llmc/te-fs";

/** Command that runs the tests of a folder. */
export interface FoundRunner {
  readonly argv: readonly string[];
  /** Folder of the file that told. */
  readonly folder: string;
  readonly from: string;
}

/** A folder as far as it tells of its tests. */
interface Place {
  readonly names: ReadonlySet<string>;
  /** The text of a file; empty where it cannot be read. */
  readonly text: (name: string) => Promise<string>;
  /** A folder in this one. */
  readonly inside: (name: string) => Promise<Place>;
}

const LARGEST = 1024 * 1024;
const MOST_NAMES = 2000;
const MOST_MS = 2000;

/** Looks in the folder and, up to its root, in those above it. */
export async function findRunner(folder: string, files: Files, signal: AbortSignal): Promise<FoundRunner> {
  const root = files.roots
    .map(({ path, real }) => [path, real])
    .flat()
    .filter((each) => isIn(folder, each));
  for (let at = folder; root.some((each) => isIn(at, each)); at = parentOf(at)) {
    const place = await look(at, files, signal);
    for (const find of FINDERS) {
      const found = await find(place);
      if (found !== undefined) return { ...found, folder: at };
    }
    if (at === "/") break;
  }
  throw new InvalidArgumentError(
    `No tests are known in ${folder}: no package.json with a test script, pyproject.toml, Cargo.toml, go.mod or the like`,
    "Pass cwd, or run the tests with te_run.",
  );
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

async function look(folder: string, files: Files, signal: AbortSignal): Promise<Place> {
  const listing = await files.list(folder, {
    signal,
    depth: 0,
    includeHidden: true,
    maxEntries: MOST_NAMES,
    maxKeptBytes: LARGEST,
    maxMs: MOST_MS,
  });
  const names = new Set(listing.folders[0]?.entries.map(({ name }) => name));
  const text = async (name: string) => {
    if (!names.has(name)) return "";
    try {
      await using file = await files.open(`${folder}/${name}`, { signal });
      return (await readBytes(file, { offset: 0, length: LARGEST, signal })).toString();
    } catch {
      return "";
    }
  };
  return { names, text, inside: (name) => look(`${folder}/${name}`, files, signal) };
}

type Find = (place: Place) => Promise<Omit<FoundRunner, "folder"> | undefined>;

const FINDERS: readonly Find[] = [node, rust, golang, python, maven, gradle, cmake, make];

const EMPTY_SCRIPT = /no test specified/;

async function node({ names, text }: Place): ReturnType<Find> {
  if (!names.has("package.json")) return undefined;
  const { scripts = {}, ...rest } = parsed(await text("package.json"));
  const known = Object.keys({ ...objectOf(rest["dependencies"]), ...objectOf(rest["devDependencies"]) });
  const manager = names.has("pnpm-lock.yaml")
    ? "pnpm"
    : names.has("yarn.lock")
      ? "yarn"
      : names.has("bun.lock")
        ? "bun"
        : "npm";
  const script = objectOf(scripts)["test"];
  if (typeof script === "string" && !EMPTY_SCRIPT.test(script))
    return { argv: manager === "bun" ? ["bun", "run", "test"] : [manager, "test"], from: "package.json" };
  const runner = ["vitest", "jest", "mocha"].find((name) => known.includes(name));
  if (runner !== undefined)
    return { argv: ["npx", "--no-install", runner, ...(runner === "vitest" ? ["run"] : [])], from: "package.json" };
  const isTested = [...names].some((name) => name === "test" || /\.test\.[cm]?js$/.test(name));
  return isTested ? { argv: ["node", "--test"], from: "package.json" } : undefined;
}

async function rust({ names }: Place): ReturnType<Find> {
  return names.has("Cargo.toml") ? { argv: ["cargo", "test"], from: "Cargo.toml" } : undefined;
}

async function golang({ names }: Place): ReturnType<Find> {
  return names.has("go.mod") ? { argv: ["go", "test", "./..."], from: "go.mod" } : undefined;
}

/** Test files that are looked into for their framework. */
const LOOKED_AT = 5;
const PYTHON_FILES = [
  "pytest.ini",
  "conftest.py",
  "pyproject.toml",
  "tox.ini",
  "setup.cfg",
  "setup.py",
  "requirements-dev.txt",
  "requirements.txt",
];

/** pytest by name, or a test that is a function, which unittest does not see. */
const PYTEST = /\bpytest\b|^(?:async )?def test_/m;

async function python({ names, text, inside }: Place): ReturnType<Find> {
  const from = PYTHON_FILES.find((name) => names.has(name));
  const tests = [...names].filter((name) => /^tests?$|^test_\w+\.py$|_test\.py$/.test(name));
  if (from === undefined && tests.length === 0) return undefined;
  const folder = tests.find((name) => /^tests?$/.test(name));
  const below = folder === undefined ? undefined : await inside(folder);
  const own = [...(below?.names ?? [])]
    .filter((name) => /^(?:test_\w+|\w+_test|conftest)\.py$/.test(name))
    .slice(0, LOOKED_AT);
  const texts = await Promise.all([
    ...[...PYTHON_FILES, ...tests.slice(0, LOOKED_AT)].map(text),
    ...own.map((name) => below?.text(name) ?? ""),
  ]);
  if (names.has("pytest.ini") || names.has("conftest.py") || texts.some((each) => PYTEST.test(each)))
    return { argv: ["python3", "-m", "pytest"], from: from ?? tests[0] ?? "" };
  if (tests.length === 0) return undefined;
  const where = folder === undefined ? [] : ["discover", "-s", folder];
  return { argv: ["python3", "-m", "unittest", ...where], from: from ?? tests[0] ?? "" };
}

async function maven({ names }: Place): ReturnType<Find> {
  if (!names.has("pom.xml")) return undefined;
  return { argv: [names.has("mvnw") ? "./mvnw" : "mvn", "test"], from: "pom.xml" };
}

async function gradle({ names }: Place): ReturnType<Find> {
  const from = ["build.gradle", "build.gradle.kts"].find((name) => names.has(name));
  return from === undefined ? undefined : { argv: [names.has("gradlew") ? "./gradlew" : "gradle", "test"], from };
}

async function cmake({ names }: Place): ReturnType<Find> {
  if (names.has("CTestTestfile.cmake")) return { argv: ["ctest", "--output-on-failure"], from: "CTestTestfile.cmake" };
  if (!names.has("CMakeLists.txt") || !names.has("build")) return undefined;
  return { argv: ["ctest", "--test-dir", "build", "--output-on-failure"], from: "CMakeLists.txt" };
}

async function make({ text, names }: Place): ReturnType<Find> {
  const from = ["Makefile", "makefile", "GNUmakefile"].find((name) => names.has(name));
  const target = from === undefined ? undefined : /^(check|test)\s*:(?!=)/m.exec(await text(from))?.[1];
  return from === undefined || target === undefined ? undefined : { argv: ["make", target], from };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
