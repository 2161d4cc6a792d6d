// A setting has an effect or it is a lie: each key is read by a source outside packages/config, or open-topics.json
// names the topic that will read it. A key that is read may not stay in that file: it only shrinks.
import { configKeys, OWN_KEYS } from "@llmc/config";
import { keyProblems } from "./key-problems.js";
import { openTopics } from "./open-topics.js";
import { pathsReadOutsideConfig } from "./sources.js";

const keys = configKeys().map(({ key }) => key);
const open = openTopics();
const problems = keyProblems({ keys, own: OWN_KEYS, read: pathsReadOutsideConfig(), open });

for (const problem of problems) console.error(problem);
const idle = Object.keys(open.config_keys).length;
console.log(`keys: ${keys.length} settings, ${idle} without effect yet, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
