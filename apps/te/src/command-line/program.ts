import { CLOSING_FLAGS, type Program } from "@llmc/cli";
import { VERSION } from "@llmc/linux-ops";

export const TE: Program = {
  name: "te",
  version: VERSION,
  summary: "runs a command; outside of a terminal its long output comes shortened, with nothing lost.",
  usage: [
    "[--json] [--raw] [--budget N] COMMAND…",
    "[--json] [--raw] [--budget N] 'COMMAND LINE'",
    "--handle H [--chunk N | --lines A-B | --match RE]",
  ],
  flags: [
    { name: "json", help: "Print one JSON object: exit code, both streams, handle, tokens." },
    { name: "raw", help: "Shorten nothing." },
    { name: "budget", value: "N", help: "Most tokens of an output (5000)." },
    { name: "handle", value: "H", help: "Print all that was kept under a handle." },
    { name: "chunk", value: "N", help: "Of it, a piece of at most 4000 tokens; the first is 0." },
    { name: "lines", value: "A-B", help: 'Of it, these lines: "10-20", "10-", "10"; "-20" are the last 20.' },
    { name: "match", value: "RE", help: "Of it, the lines that match, with their numbers; case is ignored." },
    { name: "config", value: "FILE", help: "The configuration to load, as for the servers." },
    { name: "data-dir", value: "DIR", help: "Where handles are kept (~/.local/state/llmc)." },
    ...CLOSING_FLAGS,
  ],
  commands: {},
  notes: [
    "The first word that is no flag begins the command; -- ends the flags before it. The command has your rights, folder",
    "and environment, and te ends as it ended. One word with blanks is a command line; bash runs what needs a shell.",
    "In a terminal, with --raw, and below 1024 characters, the output is the command's to the byte.",
  ],
  examples: [
    "te pytest -x",
    "te 'npm test 2>&1 | tee log'",
    "te --json git status",
    "te --handle h482913 --match error",
  ],
};
