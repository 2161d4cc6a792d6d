// One zod schema declares every setting. Types, defaults, checks, documentation, the forms of the environment and of the
// command line, and the list of secrets are derived from the schema. Each source of settings becomes a layer of the same
// shape, so that one merge decides and every value can name its origin.

export { ConfigError } from "./error/config-error.js";
export { demandDataDir } from "./token/data-dir.js";
export { configDocs, configKeys, exampleToml, type ConfigKey } from "./print/docs.js";
export type { Filter, FilterFile } from "./load/filters.js";
export { settingsOf, type LibraryOptions } from "./load/library.js";
export { loadConfig, type LoadOptions } from "./load/load.js";
export { isLoopback } from "./check/loopback.js";
export { OWN_KEYS } from "./keys/own-keys.js";
export { changedSettings, printToml, redacted } from "./print/print.js";
export { mcpSchema, type McpConfig, type McpInput } from "./schema/mcp.js";
export { TOOLSETS } from "./schema/tools.js";
export { tokenAuditFile, type Settings } from "./load/settings.js";
export { resolveToken, type Token, type TokenOptions } from "./token/token.js";
