import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { McpServer } from "../mcp-server.js";
import type { Project } from "./project.js";
import type { Task, Way } from "./task.js";

export interface Cost {
  readonly tokens: number;
  readonly calls: number;
}

export interface Means {
  readonly start: () => Promise<McpServer>;
  readonly project: Project;
  readonly countTokens: (text: string) => number;
  /** Folder for the transcript of each attempt. */
  readonly talks: string;
  readonly thinkMs?: number;
}

/** Pause after each call, shorter than a model's thinking. A server's background work is done by then. */
const THINK_MS = 250;
/** Replaces the project's folder in transcripts, because its real name is random. */
const SHORT_FOLDER = "/home/ada/shop";

/**
 * Returns the cost of each way, or the reason why the way failed. Each task has its own server, so no other task makes
 * an answer shorter or longer.
 */
export async function attempts(task: Task, ways: readonly Way[], means: Means): Promise<(Cost | Error)[]> {
  const server = await means.start().catch((thrown: unknown) => thrown as Error);
  if (server instanceof Error) return ways.map(() => server);
  const outcomes: (Cost | Error)[] = [];
  try {
    for (const [nth, way] of ways.entries()) {
      const talkFile = join(means.talks, `${task.name}, way ${nth + 1}.txt`);
      outcomes.push(await attempt({ task, way, server, talkFile }, means).catch((thrown: unknown) => thrown as Error));
    }
  } finally {
    await server.end();
  }
  return outcomes;
}

/** Returns the least cost, or the first reason if every way failed. */
export function cheapest(outcomes: readonly (Cost | Error)[]): Cost | Error {
  const costs = outcomes.filter((each): each is Cost => !(each instanceof Error));
  return costs.toSorted((a, b) => a.tokens - b.tokens)[0] ?? outcomes[0] ?? new Error("it has no tool for that");
}

interface Attempt {
  readonly task: Task;
  readonly way: Way;
  readonly server: McpServer;
  readonly talkFile: string;
}

async function attempt({ task, way, server, talkFile }: Attempt, means: Means): Promise<Cost> {
  const { project, countTokens, thinkMs = THINK_MS } = means;
  const said: string[] = [];
  const talk: string[] = [];
  project.reset();
  try {
    for (const [name, args] of way) {
      const filled = fill(args, said.join("\n"), project);
      const { text } = await server.answer(name, filled);
      said.push(text);
      talk.push(...[JSON.stringify({ name, arguments: filled }), text].map((each) => shortened(each, project)));
      await delay(thinkMs);
      if (said.length === 1 && task.midway?.(project) === false) throw new Error("wrong: the first call did nothing");
    }
  } finally {
    mkdirSync(dirname(talkFile), { recursive: true });
    writeFileSync(talkFile, talk.join("\n\n"));
  }
  if (!task.check(said.join("\n"), project)) throw new Error("wrong: the task was not done");
  return { tokens: talk.reduce((sum, text) => sum + countTokens(text), 0), calls: way.length };
}

function shortened(text: string, { folder }: Project): string {
  return text.replaceAll(folder, SHORT_FOLDER);
}

const FROM_ANSWERS: Readonly<Record<string, RegExp>> = {
  proc: /\b(p_\w{6})\b/,
  pid: /\bPID (\d+)/,
  handle: /\b(H_\w+|h\d{6,})\b/,
  search: /\b(search_\d+_\d+)\b/,
};

/** Fills names such as `$pid` into arguments. A text that is only such a name becomes a number if its value is one. */
export function fill(args: object, said: string, project: Known): object {
  const known: Readonly<Record<string, string>> = {
    shop: project.folder,
    running: String(project.running.port),
    free: String(project.freePort),
  };
  const valueOf = (name: string): string => {
    const value = known[name] ?? FROM_ANSWERS[name]?.exec(said)?.[1];
    if (value === undefined) throw new Error(`wrong: no answer has a ${name}`);
    return value;
  };
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== "string") return value;
    const text = value.replaceAll(NAMES, (_all, name: string) => valueOf(name));
    return /^\$\w+$/.test(value) && /^\d+$/.test(text) ? Number(text) : text;
  };
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, filled(value)]));
}

const NAMES = /\$(proc|pid|handle|search|shop|running|free)\b/g;

type Known = Pick<Project, "folder" | "running" | "freePort">;
