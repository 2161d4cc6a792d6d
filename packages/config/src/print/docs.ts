import { KEYS, TABLES, type Key } from "../keys/keys.js";
import { variableOf } from "../layers/overrides.js";
import { isIn, tomlOf } from "./print.js";

export interface ConfigKey {
  readonly key: string;
  readonly type: string;
  readonly default: unknown;
  readonly description: string;
  readonly secret: boolean;
}

export function configKeys(): readonly ConfigKey[] {
  return KEYS.map(({ name, type, initial, description, secret }) => ({
    key: name,
    type,
    default: initial,
    description,
    secret,
  }));
}

const HEAD = `# Configuration

<!-- Generated from packages/config by \`pnpm gen\`; change the schema, not this file. -->

One TOML file: \`--config FILE\`, else \`$LLMC_CONFIG\`, else \`$XDG_CONFIG_HOME/llmc/llmc.toml\` (\`~/.config\` where that is unset). An \`llmc.toml\`
in the current folder is never loaded by itself. Only \`[mcp]\` and the tables below it are read; there an unknown key, a wrong type or an
impossible combination stops the start with the file, the line and the key; all such faults are told at once. A default never stops it:
where a written value contradicts the default of another key, the default gives way (told at the level debug).

The command line comes before the environment, that before the file, that before the defaults:

| | command line | environment |
| --- | --- | --- |
| any key | \`--set mcp.tools.names=dotted\` | \`LLMC_MCP__TOOLS__NAMES=dotted\` |
| roots | \`--root DIR\` (repeatable), or \`DIR\` alone | \`LLMC_ROOTS=DIR:DIR\` |
| config file | \`--config FILE\` | \`LLMC_CONFIG\` |
| data dir | \`--data-dir DIR\` | \`LLMC_DATA_DIR\`, else \`mcp.docker.data_volume\`, else \`$XDG_STATE_HOME/llmc\`, else \`~/.local/state/llmc\` |
| host and port | \`--host HOST\`, \`--port PORT\` | \`LLMC_MCP__SERVER__HOST\`, \`LLMC_MCP__SERVER__PORT\` |
| change nothing | \`--read-only\` | \`LLMC_MCP__TOOLS__READ_ONLY=true\` |
| base of relative config paths | | \`LLMC_ROOT\`; it opens no folder |

A value is read as TOML, else as plain text; a list may also be written \`a,b\`. \`~\` is the home of the server's user. A relative path in
the file is taken from the file's folder, one from the environment or the command line from the current folder; \`LLMC_ROOT\` moves the base of the first two.

Filters of outputs are files of their own: each \`$XDG_CONFIG_HOME/llmc/filters/*.toml\` has \`[[filter]]\` tables with \`name\`, \`command\` and
\`drop\`, and \`[[filter.example]]\` tables with \`input\` and \`shown\`. A broken one is skipped and told at the start.

A session with a budget of \`[mcp.te.budgets.NAME]\` is told less of the output of commands, in this order: from 80 % on half the room of an
answer, from 90 % on a quarter, at 100 % a summary with the handle. How a command ended, failing tests and places in files are always told.
`;

/** docs/config.md. Keys in \`noEffectYet\` are accepted and checked, and nothing reads them so far. */
export function configDocs(noEffectYet: ReadonlySet<string>): string {
  const sections = TABLES.map((table) => {
    const rows = KEYS.filter((key) => isIn(table.path, key)).map((key) => row(key, noEffectYet.has(key.name)));
    if (rows.length === 0) return "";
    return `## \`[${table.name}]\`

${cell(table.description)}

| key | type | default | |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
  });
  return [HEAD, ...sections.filter((section) => section !== "")].join("\n");
}

function row(key: Key, idle: boolean): string {
  const initial = key.initial === undefined ? "unset" : `\`${tomlOf(key.initial)}\``;
  const notes = [key.description, key.secret ? "Secret: never printed." : "", idle ? "**No effect yet.**" : ""];
  const what = notes.filter((note) => note !== "").join(" ");
  return `| ${[`\`${key.name}\``, key.type, initial, what].map(cell).join(" | ")} |`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** llmc.example.toml: "# " before prose, "#" before a setting at its default, so that a setting is switched on by one keystroke. */
export function exampleToml(): string {
  const head = `# Copy it to ~/.config/llmc/llmc.toml, or name it with --config or LLMC_CONFIG.
# Each setting stands here with its default, or with an example where it has none; remove the "#" before the one you need.
# Any of them can be set as ${variableOf(exampleKey())}=… or --set ${exampleKey().name}=… as well.
`;
  const tables = TABLES.map((table) => {
    const keys = KEYS.filter((key) => isIn(table.path, key));
    return keys.length === 0 ? "" : [`# ${table.description}`, `[${table.name}]`, ...keys.map(setting), ""].join("\n");
  });
  return [head, ...tables.filter((table) => table !== "")].join("\n");
}

function setting(key: Key): string {
  const value = key.example ?? key.initial;
  const type = key.kind === "flag" || key.type === "text" ? "" : ` (${key.type})`;
  return `# ${key.description}${type}\n#${key.path.at(-1)} = ${tomlOf(value)}`;
}

function exampleKey(): Key {
  const key = KEYS.find(({ name }) => name === "mcp.tools.names");
  if (!key) throw new TypeError("mcp.tools.names is gone; choose another example");
  return key;
}
