import { CLOSING_FLAGS, helpText, parseCommandLine, StartError, type Program } from "@llmc/cli";
import { loadConfig } from "@llmc/config";
import { checkFilters, type CheckedFile } from "@llmc/envelope";
import { VERSION } from "@llmc/linux-ops";

const FILTERS: Program = {
  name: "llmc filters",
  version: VERSION,
  summary: "lists your filters of command output, and checks their patterns and examples.",
  usage: ["[--config FILE]"],
  flags: [{ name: "config", value: "FILE", help: "The configuration whose filters are meant." }, ...CLOSING_FLAGS],
  commands: {},
  notes: [
    "Filters are files of $XDG_CONFIG_HOME/llmc/filters/*.toml (~/.config/llmc/filters), never of a project:",
    "",
    "  [[filter]]",
    '  name = "progress"',
    '  command = "^make"',
    '  drop = ["^\\\\s*\\\\[ *\\\\d+%\\\\]"]',
    "  [[filter.example]]",
    '  input = "[ 10%] Building a.o\\ndone\\n"',
    '  shown = "done\\n"',
  ],
  examples: ["llmc filters"],
};

/** Runs `llmc filters`, and returns its output. A broken file is a failure, so that a script notices. */
export async function filters(argv: readonly string[]): Promise<string> {
  const line = parseCommandLine(FILTERS, argv);
  if (line.has("version")) return `${VERSION}\n`;
  if (line.has("help")) return helpText(FILTERS);
  const settings = await loadConfig({ file: line.one("config") });
  const checked = await checkFilters(settings.filters);
  const broken = checked.flatMap(({ problem }) => (problem === null ? [] : [problem]));
  if (broken.length > 0) throw new StartError(broken.join("; "));
  if (checked.length === 0) return "There are no filters; --help shows one.\n";
  return checked.map(lineOf).join("");
}

function lineOf({ path, names }: CheckedFile): string {
  return `${path}: ${names.join(", ")}\n`;
}
