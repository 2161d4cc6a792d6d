import { InvalidArgumentError, ProcessNotFoundError } from "@llmc/errors";
import type { MeasuredProcess, Procfs, ReadOptions } from "@llmc/procfs";
import type { View } from "../view/own-view.js";

export interface TreeQuery extends ReadOptions {
  /** Without it, all that start from the first process or from nowhere. */
  readonly pid?: number | undefined;
  /** How many levels below the first are told one by one. */
  readonly depth: number;
}

/** A process with all that descends from it. */
export interface TreeNode {
  readonly pid: number;
  readonly ppid: number;
  readonly user: string;
  readonly command: string;
  /** Of the process and of everything below it. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
  /** How many are below it, at any depth. */
  readonly descendants: number;
  readonly level: number;
  /** This many siblings of one kind, this one among them; their figures are added up in it. */
  readonly folded?: number;
}

export interface ProcessTreeFound {
  /** Parents before their children. */
  readonly nodes: readonly TreeNode[];
  readonly intervalMs: number;
  /** Descendants below the depth. */
  readonly deeper: number;
}

interface Branch {
  readonly process: MeasuredProcess;
  readonly children: Branch[];
  cpuPercent: number;
  rssBytes: number;
  descendants: number;
}

/** Nobody looks for one of them, and there are a hundred. */
const KERNEL = "[kernel threads]";
/** Three of a kind are told as one. */
const FOLD_FROM = 3;

export async function processTree(procfs: Procfs, view: View, query: TreeQuery): Promise<ProcessTreeFound> {
  const { processes, intervalMs } = await procfs.processes.read(query);
  const branches = new Map(processes.map((process) => [process.pid, branchOf(process)]));
  const tops: Branch[] = [];
  for (const branch of branches.values()) {
    const parent = branches.get(branch.process.ppid);
    (parent === undefined || parent === branch ? tops : parent.children).push(branch);
  }
  for (const top of tops) addUp(top);
  for (const { children } of branches.values()) children.sort(byPid);
  const from = query.pid === undefined ? tops.toSorted(byPid) : [branches.get(query.pid) ?? notFound(query.pid)];
  const nodes: TreeNode[] = [];
  let deeper = 0;
  const tell = (siblings: readonly Branch[], level: number): void => {
    for (const kind of folded(siblings, view)) {
      nodes.push(nodeOf(kind, level, view));
      const [only] = kind;
      if (kind.length > 1 || only === undefined) continue;
      if (level < query.depth) tell(only.children, level + 1);
      else deeper += only.descendants;
    }
  };
  tell(from, 0);
  return { nodes, intervalMs, deeper };
}

function byPid({ process }: Branch, { process: other }: Branch): number {
  return process.pid - other.pid;
}

function notFound(pid: number): never {
  if (pid <= 0) throw new InvalidArgumentError(`${pid} is not a valid pid`, "A pid is a whole number above 0.");
  throw new ProcessNotFoundError(pid);
}

function branchOf(process: MeasuredProcess): Branch {
  const { cpuPercent, rssBytes } = process;
  return { process, children: [], cpuPercent, rssBytes, descendants: 0 };
}

/** Without recursion: a chain of forks may be as deep as there are processes. */
function addUp(top: Branch): void {
  const order: Branch[] = [top];
  for (let at = 0; at < order.length; at += 1) order.push(...(order[at] as Branch).children);
  for (const branch of order.toReversed()) {
    for (const child of branch.children) {
      branch.cpuPercent += child.cpuPercent;
      branch.rssBytes += child.rssBytes;
      branch.descendants += 1 + child.descendants;
    }
  }
}

/** Siblings without children of their own that run the same are one kind. */
function folded(siblings: readonly Branch[], view: View): Branch[][] {
  const kinds = new Map<string, Branch[]>();
  for (const branch of siblings) {
    const { process, children } = branch;
    const kind = children.length > 0 ? `pid ${process.pid}` : kindOf(process, view);
    const same = kinds.get(kind);
    if (same === undefined) kinds.set(kind, [branch]);
    else same.push(branch);
  }
  return [...kinds.values()].flatMap((kind) => (kind.length < FOLD_FROM ? kind.map((one) => [one]) : [kind]));
}

function kindOf(process: MeasuredProcess, view: View): string {
  return process.isKernelThread ? KERNEL : `${process.uid} ${view.command(process)}`;
}

function nodeOf(kind: readonly Branch[], level: number, view: View): TreeNode {
  const [{ process }] = kind as readonly [Branch, ...Branch[]];
  const sum = (figure: (branch: Branch) => number): number => kind.reduce((total, branch) => total + figure(branch), 0);
  return {
    pid: process.pid,
    ppid: process.ppid,
    user: view.user(process.uid),
    command: kind.length > 1 && process.isKernelThread ? KERNEL : view.command(process),
    cpuPercent: sum((branch) => branch.cpuPercent),
    rssBytes: sum((branch) => branch.rssBytes),
    descendants: sum((branch) => branch.descendants),
    level,
    ...(kind.length > 1 ? { folded: kind.length } : {}),
  };
}
