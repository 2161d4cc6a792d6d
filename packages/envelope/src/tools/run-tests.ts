import { z } from "zod";
import { body, commandFacts, factsOf, runWithinLimits, type Outcome } from "@llmc/commands";
import { plainText } from "@llmc/te-shell";
import { defineTool, type EnvelopeContext } from "../context.js";
import type { ReadRun } from "../runners/read-run.js";
import { withHeader } from "./header.js";

const word = z.string().min(1).max(16_384);
const count = z.int().nullable();

const input = z.strictObject({
  path: word.optional(),
  args: z.array(z.string().max(16_384)).max(256).optional(),
  cwd: word.optional(),
  timeout: z.int().min(1).optional().describe("Seconds."),
});

const output = z.strictObject({
  command: z.string(),
  runner: z.string().nullable().describe("Kind of the output; null: not known."),
  passed: count.describe("null: the runner never came to its totals."),
  failed: count,
  errors: count,
  skipped: count,
  exit_code: z.int().nullable(),
  success: z.boolean(),
  failures: z.array(
    z.strictObject({
      id: z.string(),
      file: z.string().nullable(),
      line: z.int().nullable(),
      assertion: z.string().nullable(),
      frames: z.array(z.string()),
      output: z.string(),
    }),
  ),
  stdout: z.string(),
  stderr: z.string(),
  handle: z.string().nullable(),
  stderr_handle: z.string().nullable(),
  marker: z.string().nullable(),
  proc_id: z.string().optional(),
  facts: z.strictObject(commandFacts),
});

type Result = z.output<typeof output>;

const annotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const;
const common = { toolset: "compat", features: ["mcp.tools.enable_run_cmd"], annotations, input, output };
const logs = { args: ["cwd", "path"], result: ["exit_code", "passed", "failed", "runner"] } as const;

export const runTests = defineTool({
  ...common,
  name: "run_tests",
  description: "Run the tests of a folder with its own runner.",
  logs,

  async handler({ path, args = [], cwd = ".", timeout }, context) {
    const { findRunner } = await import("../runners/find-runner.js");
    const { real, type } = await context.files.stat(path ?? ".", { cwd, signal: context.signal });
    const folder = type === "dir" ? real : real.slice(0, Math.max(1, real.lastIndexOf("/")));
    const found = await findRunner(folder, context.files, context.signal);
    const target = path === undefined || real === found.folder ? [] : [withinFolder(real, found.folder)];
    return await run([...found.argv, ...passed(found.argv, [...args, ...target])], found.folder, timeout, context);
  },

  render,
});

export const runPytest = defineTool({
  ...common,
  name: "run_pytest",
  description: "Run pytest.",
  logs,

  async handler({ path, args = [], cwd, timeout }, context) {
    return await run(
      ["python3", "-m", "pytest", ...args, ...(path === undefined ? [] : [path])],
      cwd,
      timeout,
      context,
    );
  },

  render,
});

function withinFolder(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

/** Arguments as the runner takes them: a package manager hands on those behind `--`. */
function passed([program = "", sub = ""]: readonly string[], args: readonly string[]): readonly string[] {
  if (args.length === 0) return [];
  if (program === "npm") return ["--", ...args];
  if (program === "go" && sub === "test")
    return args.map((arg) => (/^[\w.]/.test(arg) && !arg.startsWith("./") ? `./${arg}` : arg));
  return args;
}

async function run(
  argv: readonly string[],
  cwd: string | undefined,
  timeout: number | undefined,
  context: EnvelopeContext,
) {
  const outcome = await runWithinLimits({ command: { argv }, cwd, timeout, tool: "run_tests" }, context);
  const result = await resultOf(argv, outcome, context);
  context.budgets.of(context).spend(render(result));
  return result;
}

async function resultOf(argv: readonly string[], outcome: Outcome, context: EnvelopeContext) {
  const { readRun } = await import("../runners/read-run.js");
  const [{ tell }, { recordTold }] = await Promise.all([import("../digest/tell.js"), import("../digest/record.js")]);
  const start = performance.now();
  const { share, note } = context.budgets.of(context);
  const told = await tell(outcome, { command: argv, isRaw: !context.te.enabled, share, note }, context);
  recordTold(argv, outcome, told, start, context);
  const read = readRun(argv, outcome, await context.recognisers());
  return {
    command: argv.join(" "),
    ...read,
    exit_code: outcome.exitCode,
    success: outcome.exitCode === 0 && isGreen(read),
    stdout: told.stdout.text,
    stderr: told.stderr.text,
    handle: told.stdout.handle,
    stderr_handle: told.stderr.handle,
    marker: told.marker,
    ...(outcome.procId === undefined ? {} : { proc_id: outcome.procId }),
    facts: factsOf(outcome, { stdout: "", stderr: "" }, context),
  };
}

/** A script may end with 0 although tests failed, and a runner although it found none. */
function isGreen({ runner, passed, skipped, failed, errors }: ReadRun): boolean {
  const ran = runner === null || (passed ?? 0) + (skipped ?? 0) > 0 || runner === "go test";
  return ran && (failed ?? 0) === 0 && (errors ?? 0) === 0;
}

function render({ stdout, stderr, facts, marker, ...result }: Result): string {
  return withHeader({ verdict: verdictOf(result), marker, facts }, plainText(body(stdout, stderr)));
}

function verdictOf({
  exit_code: code,
  proc_id: id,
  command,
  ...totals
}: Pick<Result, "exit_code" | "proc_id" | "command" | "passed" | "failed" | "errors" | "skipped">): string {
  const end = code === null ? `still running as ${id}` : `exit ${code}`;
  const parts = (["failed", "errors", "passed", "skipped"] as const).flatMap((name) => {
    const number = totals[name];
    return number === null || (number === 0 && name !== "passed") ? [] : [`${number} ${name}`];
  });
  return [command, end, ...(parts.length === 0 ? ["no totals"] : [parts.join(", ")])].join(" · ");
}
