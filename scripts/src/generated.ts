import { readFileSync } from "node:fs";
import { join } from "node:path";
import { configDocs, exampleToml } from "@llmc/config";
import { envelopeModule } from "@llmc/envelope";
import { linuxTools } from "@llmc/linux-ops";
import { errorsDoc } from "./errors-doc.js";
import { readSources } from "./house/sources.js";
import { architectureDoc } from "./map/architecture-doc.js";
import { packageGraph } from "./map/package-graph.js";
import { openTopics } from "./open-topics.js";
import { tables } from "./tables.js";
import { toolsDoc } from "./tools-doc.js";
import { ROOT } from "./workspace.js";

const ARCHITECTURE = "docs/architecture.md";

/** Every generated file and what it has to say today. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/errors.md", errorsDoc()],
    ["docs/tools.md", toolsDoc([...linuxTools, ...envelopeModule.tools])],
    ["docs/config.md", configDocs(new Set(Object.keys(openTopics().config_keys)))],
    ["llmc.example.toml", exampleToml()],
    // Written by hand except for two marked parts.
    [ARCHITECTURE, architectureDoc(written(ARCHITECTURE), packageGraph(readSources()), tables.FOLDERS)],
  ]);
}

const written = (file: string) => readFileSync(join(ROOT, file), "utf8");
