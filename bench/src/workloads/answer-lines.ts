import { createInterface } from "node:readline";

export interface Measured {
  readonly ms: number | readonly number[];
  /** Some of what came out, so that a wrong answer is seen. */
  readonly first: string;
}

interface Line {
  readonly id: number;
  readonly case: string;
}

export type Cases<Request> = Readonly<Record<string, (request: Request) => Promise<Measured>>>;

/** Measures a case for each line that this process is sent, until there are no more. */
export async function answerLines(cases: Cases<never>): Promise<void> {
  for await (const text of createInterface({ input: process.stdin })) {
    const line = JSON.parse(text) as Line;
    const measure = cases[line.case] ?? (() => Promise.reject(new Error("there is no such case")));
    const result = await measure(line as never).catch((thrown: unknown) => thrown as Error);
    const answer = result instanceof Error ? { error: { message: result.message } } : { result };
    process.stdout.write(`${JSON.stringify({ id: line.id, ...answer })}\n`);
  }
}
