import type { Source } from "./sources.js";

/** Names of tools, arguments and settings: the words of the surface, which a model or an operator sees. */
const WORDS = /\b(?:linux\.[a-z]+_|run_cmd\b|create_parents\b|expected_sha256\b|old_text\b|mcp\.(?:linux_ops|tools)\b)/;

/** Packages that define, word or bind the surface. All others give facts, and a remedy that these put into words. */
const MAY_NAME_TOOLS = ["linux-ops", "config", "mcp", "cli", "envelope", "rag"];

const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/** Lines of code with such a word, as `path:line`; none for a package that may have them. */
export function linesThatNameTools(dir: string, files: readonly Source[]): string[] {
  if (mayNameTools(dir)) return [];
  return files.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) => (!COMMENT.test(line) && WORDS.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

const mayNameTools = (dir: string) =>
  dir.startsWith("apps/") || MAY_NAME_TOOLS.includes(dir.replace(/^packages\//, ""));
