import { chmodSync, readFileSync, rmSync } from "node:fs";
import { defineConfig, type Plugin } from "rolldown";

// Shared by the apps: `rolldown -c ../../rolldown.config.ts` in an app's folder makes a dist/main.js that `node` runs alone.
const { optionalDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export default defineConfig({
  input: { main: "src/main.ts" },
  platform: "node",
  // What an app lists as optional has a native part: it is found at run time, or done without.
  external: Object.keys(optionalDependencies),
  // Workspace packages are taken from their sources, so nothing has to be built first.
  resolve: { conditionNames: ["llmc-source", "import", "node", "default"] },
  // The oldest Node we run on; what is newer (`using`) is rewritten.
  transform: { target: "node20.19" },
  output: { dir: "dist", format: "esm", entryFileNames: "main.js", chunkFileNames: "[name]-[hash].js", minify: true },
  plugins: [executable()],
});

function executable(): Plugin {
  return {
    name: "executable",
    buildStart: () => rmSync("dist", { recursive: true, force: true }),
    writeBundle: () => chmodSync("dist/main.js", 0o755),
  };
}
