import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { ContentFound, ContentQuery } from "../../src/index.js";
import { escapes, INSIDE, race, RACE_TIMEOUT, swapped } from "../swapped.js";
import { openDesk, QUERY } from "./desk.js";
import { ENGINES } from "./engines.js";

const MODES: readonly Partial<ContentQuery>[] = [
  { mode: "lines" },
  { mode: "count" },
  { mode: "files" },
  { mode: "lines", glob: ["**/needle", "file"] },
];
/** box/needle, box/deep/needle and file; the folder may be met under its other name, too. */
const WAYS = /^(?:box(?:\.real)?\/(?:deep\/)?needle|file(?:\.real)?|(?:deep\/)?needle|)$/;

describe.for(ENGINES)(
  "$name, while folders and files are swapped with links out",
  ({ setup, bare: [program, ...args] }) => {
    test("finds nothing from outside, and the bare engine does", RACE_TIMEOUT, async () => {
      const where = swapped();
      const { search } = openDesk([where.root], setup());
      const { held } = await search.engines();
      let [found, changed] = [0, 0];
      const strange: unknown[] = [];
      const look = (answer: ContentFound): void => {
        found += answer.total;
        changed += answer.leftOut.changed;
        if (answer.exact && answer.leftOut.changed > 0) strange.push("a total that is said to be exact");
        for (const { way, hits } of answer.files) {
          if (!WAYS.test(way)) strange.push(way);
          for (const { text } of hits) if (text !== INSIDE) strange.push(text);
        }
      };
      const roots = [where.root, `${where.root}/box`, `${where.root}/file`];
      const attempt = async (turn: number): Promise<void> => {
        const query = { ...QUERY, ...MODES[turn % MODES.length], root: roots[turn % 3] as string, pattern: "needle" };
        look(await search.content(query, { deadlineMs: 30_000 }));
      };
      // Where the engine is only a witness, it has to have been led astray at least once.
      const { done } = await race(where, attempt, () => found > 0 && (held === "bubblewrap" || changed > 0));
      expect({ strange, found: found > 0, done: done > 20 }).toEqual({ strange: [], found: true, done: true });
      expect(held === "bubblewrap" ? changed : Math.min(changed, 1)).toBe(held === "bubblewrap" ? 0 : 1);
      const bare = (path: string): string =>
        execFileSync(program, [...args, "needle", path], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      expect(escapes(where, bare)).toBe(true);
    });
  },
);
