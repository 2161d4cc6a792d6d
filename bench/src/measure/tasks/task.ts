import type { McpServer, ToolAnswer } from "../mcp-server.js";

/** The three ways in which files can be asked for. */
export type Dialect = "ours" | "filesystem" | "commander";

/** A session with a server whose every word is counted. */
export interface Talk {
  call(name: string, args: object): Promise<ToolAnswer>;
}

/** Something that an agent wants done, and how each server is asked for it in the fewest words. */
export interface Task {
  readonly name: string;
  prepare(folder: string): void;
  readonly ways: Readonly<Record<Dialect, (talk: Talk, folder: string) => Promise<unknown>>>;
  /** Whether it was done: by what is in the folder, and the last answer. */
  isDone(folder: string, answer: string): boolean;
}

/** Of a task, what the model wrote and what it read. */
export async function tokensOf(
  task: Task,
  { server, dialect, folder }: { readonly server: McpServer; readonly dialect: Dialect; readonly folder: string },
  countTokens: (text: string) => number,
): Promise<number> {
  let tokens = 0;
  let last = "";
  const talk: Talk = {
    async call(name, args) {
      const answer = await server.answer(name, args);
      tokens += countTokens(JSON.stringify({ name, arguments: args })) + countTokens(answer.text);
      last = answer.text;
      return answer;
    },
  };
  task.prepare(folder);
  await task.ways[dialect](talk, folder);
  if (!task.isDone(folder, last)) throw new Error("wrong: the task was not done");
  return tokens;
}
