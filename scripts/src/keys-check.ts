// A setting has an effect or it is a lie: each key is read by a source outside packages/config, or open-topics.json
// names the topic that will read it. A key that has an effect may not stay in that file: it only shrinks.
import { join } from "node:path";
import { configKeys, OWN_KEYS } from "@llmc/config";
import { envelopeModule } from "@llmc/envelope";
import { linuxTools } from "@llmc/linux-ops";
import ts from "typescript";
import { importsFromConfig } from "./config-imports.js";
import { keyProblems } from "./key-problems.js";
import { openTopics } from "./open-topics.js";
import { settingsRead } from "./settings-reads.js";
import { ROOT } from "./workspace.js";

/** Settings that are read by a function of the config package; whoever calls it reads them. */
const READ_THROUGH: Readonly<Record<string, string>> = {
  "mcp.auth.mode": "resolveToken",
  "mcp.observability.csv_path": "tokenAuditFile",
};

const keys = configKeys().map(({ key }) => key);
const open = openTopics();
const problems = keyProblems({ keys, effective: effectiveKeys(), open });

for (const problem of problems) console.error(problem);
const idle = Object.keys(open.config_keys).length;
console.log(`keys: ${keys.length} settings, ${idle} without effect yet, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

function effectiveKeys(): ReadonlySet<string> {
  const program = workspaceProgram();
  const counts = (file: string) => /^(packages|apps)\/(?!config\/)[^/]+\/src\//.test(file.replace(`${ROOT}/`, ""));
  const schema = { file: join(ROOT, "packages/config/src/schema/mcp.ts"), type: "McpConfig" };
  const sources = program.getSourceFiles().filter(({ fileName }) => counts(fileName));
  const called = new Set(sources.flatMap(importsFromConfig));
  return new Set([
    ...OWN_KEYS,
    ...settingsRead({ program, schema, counts }),
    // A tool's switches are read by the gate, by name.
    ...[...linuxTools, ...envelopeModule.tools].flatMap(({ features }) => features),
    ...Object.entries(READ_THROUGH).flatMap(([key, name]) => (called.has(name) ? [key] : [])),
  ]);
}

function workspaceProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.check.json"), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  return ts.createProgram(
    fileNames.filter((file) => file.includes("/src/")),
    options,
  );
}
