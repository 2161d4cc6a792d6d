import { firstLineOf } from "./numbered-lines.js";

/** A fast answer with other lines than were asked for is no answer: its row says so. */
export interface Answers {
  check(subject: string, text: string): void;
  readonly notes: ReadonlyMap<string, string>;
}

export function expectFirstLine(wanted: number): Answers {
  const notes = new Map<string, string>();
  return {
    notes,
    check(subject, text) {
      const got = firstLineOf(text);
      if (got !== wanted) notes.set(subject, `wrong: line ${wanted} was asked for, line ${got} came back`);
    },
  };
}
