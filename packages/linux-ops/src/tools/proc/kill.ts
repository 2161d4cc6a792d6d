import { InvalidArgumentError } from "@llmc/errors";
import { killProcess, SIGNALS, type Killed, type SignalName } from "@llmc/te-process";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { waitMs } from "./managed/fields.js";
import { pid, startId } from "./table/fields.js";
import { isOver, renderKill } from "./table/render-kill.js";
import { waitOf } from "../../context/waiting.js";

/** Ending takes a moment; a program that reloads, or is stopped, is not waited for. */
const WAITED_FOR = new Set<SignalName>(["TERM", "KILL", "INT", "QUIT"]);
const USUAL_WAIT_MS = 1000;

const target = z.strictObject({
  pid: z.int(),
  start_id: z.int(),
  command: z.string(),
  outcome: z.string().optional(),
});

export const procKill = defineTool({
  name: "linux.proc_kill",
  description: "Signal a process and see whether it ended.",
  toolset: "proc",
  features: ["mcp.linux_ops.features.proc_enabled", "mcp.linux_ops.features.kill_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    pid,
    signal: z.enum(SIGNALS).default("TERM"),
    start_id: startId.nullable().optional(),
    tree: z.boolean().default(false).describe("All below it too; first the plan."),
    wait_ms: waitMs.nullable().optional(),
    escalate: z.boolean().default(false).describe("KILL what is left then."),
  }),
  unlisted: ["wait_ms", "escalate"],
  output: z.strictObject({
    success: z.boolean().describe("The signal was sent."),
    message: z.string(),
    outcome: z
      .string()
      .optional()
      .describe(
        "exited, zombie, still alive, ignores the signal, uninterruptible or stopped; missing when not waited for.",
      ),
    escalated: z.boolean().optional(),
    plan: z.array(target).optional().describe("Who would be signalled, the first before its children."),
    targets: z.array(target).optional().describe("Of a tree."),
    spared: z.array(z.strictObject({ pid: z.int(), reason: z.string() })).optional(),
    hint: z.string().optional(),
  }),
  logs: { args: ["pid", "signal", "tree", "escalate"], result: ["success", "outcome", "escalated"] },

  async handler(args, context) {
    const startTicks = args.start_id ?? undefined;
    // Who it would be has to be seen once: the start_id that the plan names is the word to go ahead.
    const isDryRun = args.tree && startTicks === undefined;
    const killed = await signalled(args, { startTicks, isDryRun }, context);
    return isDryRun ? planned(killed, args) : done(killed, args);
  },

  render: renderKill,
});

interface Args {
  readonly pid: number;
  readonly signal: SignalName;
  readonly tree: boolean;
  readonly wait_ms?: number | null | undefined;
  readonly escalate: boolean;
}

async function signalled(
  { pid, signal, tree, wait_ms, escalate }: Args,
  { startTicks, isDryRun }: { startTicks: number | undefined; isDryRun: boolean },
  { mcp, processes, signal: cancel }: LinuxOpsContext,
): Promise<Killed> {
  if (escalate && signal !== "KILL" && !WAITED_FOR.has(signal))
    throw new InvalidArgumentError(`escalate means nothing with ${signal}`, "It follows TERM, INT or QUIT.");
  const waitMs = waitOf(wait_ms ?? (WAITED_FOR.has(signal) ? USUAL_WAIT_MS : 0), mcp);
  const options = { ...processes(), self: process.pid };
  return killProcess({ pid, signal, startTicks, isTree: tree, isDryRun, waitMs, escalates: escalate, cancel }, options);
}

function planned({ targets, spared }: Killed, { signal }: Args) {
  const [first] = targets;
  return {
    success: false,
    message: `Nothing was signalled yet: SIG${signal} would go to ${targets.length} processes`,
    plan: targets.map(shown),
    ...(spared.length === 0 ? {} : { spared: [...spared] }),
    hint: `Repeat the call with start_id: ${first?.startTicks} to do it.`,
  };
}

function done({ targets, spared, escalated }: Killed, { pid, signal, tree, escalate }: Args) {
  const outcome = targets[0]?.outcome;
  const left = targets.filter((each) => each.outcome !== undefined && !isOver(each.outcome));
  const what = targets.length === 1 ? `pid ${pid}` : `pid ${pid} and ${targets.length - 1} below it`;
  const advice = left.length === 0 ? undefined : adviceOn(left, signal === "KILL" || escalate);
  return {
    success: true,
    message: `Sent SIG${signal}${escalated ? ", then SIGKILL," : ""} to ${what}`,
    ...(outcome === undefined ? {} : { outcome }),
    ...(escalated ? { escalated } : {}),
    ...(tree ? { targets: targets.map(shown) } : {}),
    ...(spared.length === 0 ? {} : { spared: [...spared] }),
    ...(advice === undefined ? {} : { hint: advice }),
  };
}

function adviceOn(left: readonly { readonly outcome?: string }[], wasKilled: boolean): string | undefined {
  if (!wasKilled) return 'signal: "KILL" ends it.';
  return left.some(({ outcome }) => outcome === "uninterruptible")
    ? "It hangs in the kernel (a mount or a disk that does not answer): the signal counts when that comes back."
    : undefined;
}

function shown({ pid, startTicks, command, outcome }: Killed["targets"][number]) {
  return { pid, start_id: startTicks, command: command.slice(0, 200), ...(outcome === undefined ? {} : { outcome }) };
}
