// Who may import whom, and who may touch what. The tables below are the architecture; a rule's comment says what to do.
// `pnpm fences` checks them, `pnpm fences:prove` plants every violation in a copy and sees the named rule fire.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Layers: a package may use only the packages that its row names. One row for each folder below packages/. */
export const MAY_IMPORT = {
  errors: [],
  config: ["errors"],
  toolkit: ["errors"],
  // Reads /proc for processes and the system state alike; whoever needs it names it in its own row.
  procfs: [],
  names: ["errors"],
  patch: ["errors", "names"],
  "te-path": ["errors", "names", "procfs"],
  "te-undo": ["errors", "names", "procfs", "te-path"],
  "te-fs": ["errors", "names", "patch", "procfs", "te-path", "te-undo"],
  // Programs that we choose; commands that a model asks for stand above them, in te-shell.
  "te-run": ["errors", "procfs"],
  "te-shell": ["errors", "procfs", "te-run"],
  documents: ["errors", "te-run"],
  "te-search": ["errors", "names", "te-path", "te-fs", "te-run", "procfs"],
  "te-process": ["errors", "procfs", "te-run", "te-shell"],
  "te-system": ["errors", "procfs", "te-run"],
  handles: ["errors"],
  audit: ["errors", "toolkit", "handles"],
  // One command from text to result, for every tool module that runs commands.
  commands: ["errors", "toolkit", "te-shell", "te-process", "handles", "te-fs", "te-path"],
  "linux-ops": [
    "errors",
    "config",
    "toolkit",
    "procfs",
    "names",
    "patch",
    "te-path",
    "te-undo",
    "te-fs",
    "te-run",
    "te-shell",
    "te-search",
    "te-process",
    "te-system",
    "handles",
    "audit",
    "commands",
    "documents",
  ],
  envelope: ["errors", "config", "toolkit", "handles", "te-fs", "te-shell", "te-system", "commands"],
  mcp: ["errors", "config", "toolkit", "handles"],
  // What the executables' mains share: flags, the start, an orderly end. Bundled into each, never published.
  cli: ["errors", "config", "audit", "linux-ops"],
};

/** Apps may use every package, and never each other. One entry for each folder below apps/. */
export const APPS = ["mcp-stdio", "mcp-http", "te"];

/**
 * The order inside a package, one row for each package or app of more than eight files; smaller ones may have a row too.
 * A row names what lies directly in src, lowest first: every folder, and each root file that a folder imports (such an
 * entry ends in `.ts`).
 * An entry may import itself and the entries before it. Root files without an entry come last and may import all, and
 * index.ts is imported by no file of its package.
 */
export const FOLDERS = {
  audit: ["text", "log", "record", "metrics", "csv", "store", "sqlite", "flow"],
  cli: [],
  config: ["schema", "error", "keys", "layers", "check", "load", "print", "token"],
  toolkit: ["text", "tool", "input", "call", "middleware"],
  handles: ["handle", "database", "memory", "driver", "sqlite", "sqlite-store", "open"],
  mcp: ["protocol", "endpoint", "stdio", "http", "sdk"],
  "mcp-http": ["answer", "limits", "request", "server", "start"],
  te: ["command-line", "store", "answer", "run", "handle", "hook", "filters"],
  procfs: ["read", "machine", "process"],
  names: ["path", "automaton", "glob", "ignore"],
  patch: ["text", "nearest", "block", "diff"],
  "te-path": ["kernel", "scope", "content", "tree", "copy", "boundary"],
  "te-undo": ["locks", "temps", "store", "target", "replace", "undo"],
  "te-fs": ["read", "list", "stale", "write", "remove", "move", "patch", "missing"],
  "te-search": ["search-root", "walk", "query", "hits", "engines", "names", "content"],
  commands: ["launch", "run", "result"],
  "linux-ops": ["version.ts", "code-folder.ts", "context", "answer", "hints", "tools", "compose"],
  "te-run": ["find", "streams", "process", "run", "cell"],
  documents: ["program", "pdf", "image"],
  envelope: ["budget", "filters", "shape", "grammar", "recognise", "context.ts", "runners", "digest", "tools"],
  "te-shell": ["policy", "limits", "sandbox", "prestart", "launch", "running"],
  "te-process": ["view", "list", "kill", "managed"],
  "te-system": ["ask", "services", "logs", "disks", "measure", "look", "info", "wrong", "snapshot"],
};

/** An app's main reads TLS files and closes inherited descriptors before anything else of ours runs. */
const MAIN = "^apps/[^/]+/src/main\\.ts$";

/** A package of npm, whether it could be resolved or not. */
const npm = (names) => `(^|/node_modules/)(${names.join("|")})(/|$)`;

/** Capabilities: what only their owners may import. `except` are single files and folders beside the owners. */
export const FENCES = [
  {
    name: "fs",
    modules: "^(node:)?fs(/promises)?$",
    owners: [
      "packages/te-path",
      "packages/te-undo",
      "packages/te-fs",
      "packages/te-run",
      "packages/te-shell",
      "packages/procfs",
      // How full a file system is, and the system's own logs: nothing of the user's.
      "packages/te-system",
      "packages/config",
      "packages/handles",
      "packages/audit",
    ],
    // The settings of a client, when its user asks for a hook.
    except: [MAIN, "^apps/te/src/hook/settings-file\\.ts$"],
    comment:
      "Files of the user are touched through te-fs, which walks them by descriptor. Take what you need as an argument.",
  },
  {
    name: "spawn",
    modules: "^(node:)?(child_process|cluster)$",
    owners: ["packages/te-run", "packages/te-shell"],
    // The person's own command keeps the terminal, the process group and the signals, so nothing may stand between.
    except: ["^apps/te/src/run/start\\.ts$"],
    comment:
      "Start a program of ours through te-run and a command of a model through te-shell: both bound its output and end its whole tree.",
  },
  {
    name: "launchers",
    modules: npm(["execa", "cross-spawn", "nano-spawn", "tinyexec"]),
    // The first user among cli and the apps becomes an owner; te itself has no time to load it. See docs/decisions/execa.md.
    owners: [],
    comment:
      "Execa and its kin are for scripts and test/e2e. A package starts programs through te-run, which is faster and ends the whole tree.",
  },
  {
    name: "db",
    modules: `^(node:)?sqlite$|${npm(["(@types/)?better-sqlite3", "drizzle-orm", "libsql", "postgres"])}`,
    owners: [],
    except: ["^packages/handles/src/(driver|sqlite|sqlite-store)/", "^packages/audit/src/sqlite/"],
    comment:
      "SQL stays in the SQLite folders of handles and audit, so that another database can stand behind the same stores.",
  },
  {
    name: "mcp",
    modules: npm(["@modelcontextprotocol/[^/]+"]),
    owners: ["packages/mcp"],
    comment: "Only packages/mcp knows the SDK, so that its next major version is one more binding.",
  },
  {
    name: "hono",
    modules: npm(["hono", "@hono/[^/]+"]),
    owners: ["apps/mcp-http"],
    comment: "Only the HTTP app knows the web framework.",
  },
  {
    name: "net",
    modules: "^(node:)?(net|http|http2|https|tls|dgram|dns(/promises)?)$",
    owners: ["apps/mcp-http"],
    // Node reads a pipe as it reads a socket; nothing is connected to.
    except: ["^packages/te-run/src/run/pipes\\.ts$"],
    comment: "Only the HTTP app opens sockets.",
  },
  {
    name: "pty",
    modules: npm(["(@lydell/)?node-pty[^/]*"]),
    owners: ["packages/te-process"],
    comment: "Terminals belong to managed processes.",
  },
  {
    name: "require",
    modules: "^(node:)?module$",
    owners: ["packages/handles"],
    comment:
      "createRequire() loads what no import graph sees. Only the database port needs it, for a driver that may be absent.",
  },
];

const src = (dirs) => `^(${dirs.join("|")})/src/`;
const packageDirs = (names) => names.map((name) => `packages/${name}`);
const LISTED = [...packageDirs(Object.keys(MAY_IMPORT)), ...APPS.map((name) => `apps/${name}`)];

const layer = (dir, below) => ({
  name: `layer:${dir}`,
  severity: "error",
  comment: `${dir} may use only what its row in MAY_IMPORT names. Move the shared part down, or pass it in.`,
  from: { path: src([dir]) },
  to: { path: "^(packages|apps)/", pathNot: src([dir, ...packageDirs(below)]) },
});

const fence = ({ name, modules, owners, except = [], comment }) => ({
  name: `fence:${name}`,
  severity: "error",
  comment,
  from: {
    path: "^(packages|apps)/[^/]+/src/",
    ...(owners.length + except.length > 0 && { pathNot: [...(owners.length > 0 ? [src(owners)] : []), ...except] }),
  },
  to: { path: modules },
});

const dirOf = (name) => (APPS.includes(name) ? `apps/${name}` : `packages/${name}`);
const literally = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** Files of the entries; for a row without entries a pattern that fits no file. */
const inside = (dir, entries) =>
  entries.length === 0
    ? "(?!)"
    : `^${dir}/src/(${entries.map((entry) => `${literally(entry)}${entry.endsWith(".ts") ? "$" : "/"}`).join("|")})`;

const order = ([name, entries]) => {
  const dir = dirOf(name);
  return entries.map((entry, index) => ({
    name: `order:${dir}`,
    severity: "error",
    comment: `${dir}/src/${entry} may import only what stands before it in its row of FOLDERS. Move the shared part to an earlier folder, or pass it in.`,
    from: { path: inside(dir, [entry]) },
    to: { path: `^${dir}/src/`, pathNot: inside(dir, entries.slice(0, index + 1)) },
  }));
};

const folderListed = ([name, entries]) => ({
  name: "folder-listed",
  severity: "error",
  comment: `A folder of ${dirOf(name)} that is not in its row of FOLDERS has no place in the order. Add it to the row.`,
  from: { path: `^${dirOf(name)}/src/[^/]+/`, pathNot: inside(dirOf(name), entries) },
  to: {},
});

/** What may be imported: an app is bundled, so its devDependencies are inside what it ships. */
const manifestOf = (dir) => {
  const file = join(import.meta.dirname, dir, "package.json");
  const { dependencies, optionalDependencies, devDependencies } = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : {};
  return { ...dependencies, ...optionalDependencies, ...(dir.startsWith("apps/") && devDependencies) };
};

// pnpm's links already hide an undeclared package of the workspace, unless the root comes to depend on it; to the
// cruiser such a package is a local file, so the rule on npm dependencies does not see it.
const declaredHere = (dir) => {
  const ours = Object.keys(manifestOf(dir)).filter((name) => name.startsWith("@llmc/"));
  return {
    name: "declared",
    severity: "error",
    comment: `What ${dir} imports stands in its package.json.`,
    from: { path: src([dir]) },
    to: { path: "^packages/", pathNot: src([dir, ...ours.map((name) => name.replace("@llmc/", "packages/"))]) },
  };
};

const DECLARED = {
  name: "declared",
  severity: "error",
  comment:
    "What src imports stands in dependencies or optionalDependencies of the package's own package.json; in an app, which is bundled, in any of them.",
};

export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([name, below]) => layer(`packages/${name}`, below)),
    ...APPS.map((name) => layer(`apps/${name}`, Object.keys(MAY_IMPORT))),
    ...FENCES.map(fence),
    ...LISTED.map(declaredHere),
    ...Object.entries(FOLDERS).flatMap(order),
    ...Object.entries(FOLDERS).map(folderListed),
    {
      name: "index-last",
      severity: "error",
      comment: "index.ts is the package as others see it: inside the package, import the file that has what you need.",
      from: { path: "^((?:packages|apps)/[^/]+)/src/" },
      to: { path: "^$1/src/index\\.ts$" },
    },
    {
      name: "listed",
      severity: "error",
      comment: "A package without a row has no layer. Give it one in MAY_IMPORT, or in APPS.",
      from: { path: "^(packages|apps)/[^/]+/src/", pathNot: src(LISTED) },
      to: {},
    },
    {
      name: "entry-only",
      severity: "error",
      comment:
        "Another package is used through its name, never through a file of it. Export what you need from its index.ts.",
      from: { path: "^((?:packages|apps)/[^/]+)/src/" },
      to: { path: "^(packages|apps)/[^/]+/", pathNot: ["^$1/", "^packages/[^/]+/src/index\\.ts$"] },
    },
    {
      name: "src-only",
      severity: "error",
      comment: "What is shipped does not use what only the workspace has.",
      from: { path: "^(packages|apps)/[^/]+/src/" },
      to: { path: "^(packages|apps)/[^/]+/test/|^(scripts|bench|test)/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      comment: "Modules that need each other are one module, or lack a third below both.",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      severity: "error",
      comment: "Nothing imports this file and it imports nothing. Use it or delete it.",
      from: { orphan: true, pathNot: "^(packages|apps)/[^/]+/src/(index|main)\\.ts$" },
      to: {},
    },
    {
      name: "resolvable",
      severity: "error",
      comment: "The import leads nowhere: a typing error, or a dependency that is not installed.",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      ...DECLARED,
      from: { path: "^packages/[^/]+/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      ...DECLARED,
      from: { path: "^apps/[^/]+/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
  ],
  // If resolution ever stopped at dist/, every rule above would pass unseen: this edge has to be there.
  required: [
    {
      name: "fence-is-live",
      severity: "error",
      comment:
        "linux-ops no longer leads to the source of toolkit: the `llmc-source` condition is lost, and with it all fences.",
      module: { path: "^packages/linux-ops/src/index\\.ts$" },
      to: { path: "^packages/toolkit/src/", reachable: true },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.base.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Anchored: a bare /dist/ would hide node_modules/**/dist too, and the fences on packages with it.
    exclude: { path: "^(packages|apps)/[^/]+/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["llmc-source", "import", "node", "default", "types"],
    },
  },
};
