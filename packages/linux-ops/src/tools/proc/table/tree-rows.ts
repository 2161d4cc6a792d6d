import type { ProcessTreeFound, TreeNode } from "@llmc/te-process";
import { estimateTokens } from "@llmc/toolkit";
import { z } from "zod";
import { grouped } from "../../../answer/line.js";
import { header } from "../../../answer/header.js";
import { DEFAULT_BUDGET } from "../../../answer/budget.js";

export const treeNode = z.strictObject({
  pid: z.int(),
  ppid: z.int(),
  user: z.string(),
  command: z.string(),
  cpu_percent: z.number().describe("With all below it."),
  mem_percent: z.number().describe("With all below it."),
  children: z.int().describe("All below it, at any depth."),
  folded: z.int().optional().describe("So many siblings of this kind, added up here."),
});
type Node = z.output<typeof treeNode>;

export interface TreeResult {
  readonly nodes: readonly Node[];
  readonly depth: number;
  readonly truncated: boolean;
  readonly interval_ms: number;
  readonly deeper?: number | undefined;
  readonly left_out?: number | undefined;
}

const MAX_COMMAND = 160;

export function nodeOf(
  { pid, ppid, user, command, cpuPercent, rssBytes, descendants, folded }: TreeNode,
  memory: number,
): Node {
  return {
    pid,
    ppid,
    user,
    command: command.length <= MAX_COMMAND ? command : `${command.slice(0, MAX_COMMAND)}…`,
    cpu_percent: Math.round(cpuPercent * 10) / 10,
    mem_percent: memory === 0 ? 0 : Math.round((1000 * rssBytes) / memory) / 10,
    children: descendants,
    ...(folded === undefined ? {} : { folded }),
  };
}

/** The nodes that an answer may hold. */
export function affordable({ nodes }: ProcessTreeFound): number {
  let { tokens } = DEFAULT_BUDGET;
  for (const [index, { level, user, command, pid }] of nodes.entries()) {
    tokens -= estimateTokens(`${"  ".repeat(level)}${pid} ${user} 0.0 0.0 ${command.slice(0, MAX_COMMAND)}\n`);
    if (tokens < 0) return Math.max(1, index);
  }
  return nodes.length;
}

/** What is below a process stands below it, two spaces further in. */
export function renderTree(result: TreeResult): string {
  const levels = new Map<number, number>();
  const lines = result.nodes.map((node) => {
    const level = levels.has(node.ppid) ? (levels.get(node.ppid) ?? 0) + 1 : 0;
    levels.set(node.pid, level);
    return "  ".repeat(level) + line(node);
  });
  return [header("PID USER CPU% MEM% COMMAND, with all below", notes(result)), ...lines].join("\n");
}

function notes({ depth, interval_ms, deeper, left_out }: TreeResult): string[] {
  const told = [`depth ${depth}`, `CPU over ${(interval_ms / 1000).toFixed(1)} s`];
  if (deeper !== undefined) told.push(`${grouped(deeper)} deeper: pid=…, depth=…`);
  if (left_out !== undefined) told.push(`${grouped(left_out)} rows left out: pid=…`);
  return told;
}

function line({ pid, user, cpu_percent, mem_percent, command, children, folded }: Node): string {
  const below = children > 0 ? ` (+${children})` : "";
  return `${pid} ${user} ${cpu_percent} ${mem_percent} ${command}${folded === undefined ? "" : ` ×${folded}`}${below}`;
}
