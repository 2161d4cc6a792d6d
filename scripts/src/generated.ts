import { configDocs, exampleToml } from "@llmc/config";
import { linuxTools } from "@llmc/linux-ops";
import { errorsDoc } from "./errors-doc.js";
import { openTopics } from "./open-topics.js";
import { toolsDoc } from "./tools-doc.js";

/** Every generated file and what it has to say today. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/errors.md", errorsDoc()],
    ["docs/tools.md", toolsDoc(linuxTools)],
    ["docs/config.md", configDocs(new Set(Object.keys(openTopics().config_keys)))],
    ["llmc.example.toml", exampleToml()],
  ]);
}
