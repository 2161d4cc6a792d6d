import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin, RolldownOptions } from "rolldown";

// Shared by the apps: `rolldown -c ../../rolldown.config.ts` in an app's folder makes a dist/X.js from src/X.ts for each
// command in its `bin`; `node` runs it alone.
const { bin = {}, optionalDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
  /** Missing for bench, which takes the rest of this file. */
  readonly bin?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

const programs = Object.values(bin).map((file) => basename(file, ".js"));
const entries = new Set<string>();

const config = {
  input: Object.fromEntries(programs.map((name) => [name, `src/${name}.ts`])),
  platform: "node",
  // What an app lists as optional has a native part: it is found at run time, or done without.
  external: Object.keys(optionalDependencies),
  // Workspace packages are taken from their sources, so nothing has to be built first.
  resolve: { conditionNames: ["llmc-source", "import", "node", "default"] },
  // The oldest Node we run on; what is newer (`using`) is rewritten.
  transform: { target: "node20.19" },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    minify: true,
    // One file for all that a start loads: each file more costs a start. But the entry awaits the server's end at its top,
    // and what is loaded later would wait with it for that, were it in one file with what it needs.
    codeSplitting: { groups: [{ name: "start", tags: ["$initial"], test: (id) => !entries.has(id) }] },
  },
  plugins: [findingEntries(), withoutAjv(), inOneByte(), executable()],
} satisfies RolldownOptions;

export default config;

function findingEntries(): Plugin {
  return {
    name: "finding-entries",
    moduleParsed({ id, isEntry }) {
      if (isEntry) entries.add(id);
    },
  };
}

/** The SDK imports a validator that packages/mcp replaces by its own: a third of the time that `initialize` takes. */
function withoutAjv(): Plugin {
  return {
    name: "without-ajv",
    load: {
      filter: { id: /@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\.js$/ },
      handler: () => "export class AjvJsonSchemaValidator {}",
    },
  };
}

/** One character above U+00FF, and V8 keeps the whole source with two bytes for each. */
function inOneByte(): Plugin {
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return {
    name: "in-one-byte",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk") chunk.code = chunk.code.replaceAll(/(?<!\\)[^\0-\u00FF]/g, escaped);
      }
    },
  };
}

/** What an earlier build left is taken away last: a server that runs from here may be about to import it. */
function executable(): Plugin {
  return {
    name: "executable",
    writeBundle({ dir = "dist" }, bundle) {
      for (const name of programs) chmodSync(join(dir, `${name}.js`), 0o755);
      for (const name of readdirSync(dir)) if (!(name in bundle)) rmSync(join(dir, name), { recursive: true });
    },
  };
}
