import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { bundle, start } from "../child.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const KILLS = process.env["LLMC_LONG"] === "1" ? 300 : 15;

test(
  "killed at any moment of a rewrite, the file is the old or the new one, and nothing stays for ever",
  { timeout: 600_000 },
  async () => {
    const base = plant(freshDir(), { root: null, state: null });
    const [root, state] = [join(base, "root"), join(base, "state")];
    const program = await bundle("write-loop");
    writeFileSync(join(root, "f"), "start");
    let leftovers = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = start(program, [root, state]);
      await new Promise((resolve) => child.process.stdout?.once("data", resolve));
      // Spread over a few rewrites; when exactly does not matter.
      await sleep((kill * 7919) % 23);
      await child.kill();
      const content = readFileSync(join(root, "f"));
      const isWhole = content.length === 200_000 && content.equals(Buffer.alloc(200_000, content[0]));
      expect([kill, isWhole || content.toString() === "start"]).toEqual([kill, true]);
      leftovers += readdirSync(root).length - 1;
    }
    const files = filesIn(root, { stateDir: state });
    await files.sweep();
    expect(readdirSync(root)).toEqual(["f"]);
    // Else the kills met nothing that had to be tidied up.
    expect(leftovers).toBeGreaterThan(0);
    // The journal of the killed is whole as well: what was last done can be taken back by its id.
    const written = await files.write("f", Buffer.from("end"), { owner: "o", session: "s", mode: "rewrite" });
    await files.undo(written.undo?.id, { owner: "o", session: "s" });
    expect([readFileSync(join(root, "f")).toString() === "end", existsSync(join(root, "f"))]).toEqual([false, true]);
  },
);
