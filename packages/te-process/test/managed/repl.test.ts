import { expect, test } from "vitest";
import { keyNamed } from "../../src/index.js";
import { heard, LONG_MS, stage } from "./stage.js";

const FUNCTION = `def primes(limit):
    found = []
    candidate = 2
    while candidate <= limit:
        is_prime = True
        for known in found:
            if known * known > candidate:
                break
            if candidate % known == 0:
                is_prime = False
                break
        if is_prime:
            found.append(candidate)
        if candidate == 2:
            candidate = 3
        else:
            candidate += 2
    total = sum(found)
    count = len(found)
    return (count, total)

print(primes(100))
`;

const PLACES = [
  ["off", false],
  ["off", true],
  ["sandbox", false],
  ["sandbox", true],
] as const;

test.for(PLACES)(
  "a Python REPL, %s, terminal %s: a function of 20 lines, an endless loop that is interrupted, its end",
  { timeout: 4 * LONG_MS },
  async ([kind, pty]) => {
    const { start, managed } = await stage(kind);
    const python = await start("python3 -i", { pty });

    const banner = await heard(python);
    expect([banner.why, banner.text]).toEqual(["prompt", expect.stringMatching(/Python 3[^]*>>> $/)]);

    const { at } = python.send(FUNCTION);
    const answer = await heard(python, { from: at });
    expect([answer.why, answer.text]).toEqual(["prompt", expect.stringMatching(/\(25, 1060\)\n>>> $/)]);

    python.send("while True: pass\n\n");
    expect(await python.wait({ ms: 200 })).not.toBe("prompt");
    const pressed = await python.press(keyNamed("ctrl-c"));
    const interrupted = await heard(python, { from: pressed.at });
    expect([interrupted.why, interrupted.text]).toEqual(["prompt", expect.stringMatching(/KeyboardInterrupt\n>>> $/)]);

    const again = python.send("6 * 7\n");
    expect((await heard(python, { from: again.at })).text).toMatch(/42\n>>> $/);

    expect(await python.stop(2000)).toEqual([]);
    expect(python.state).toBe("exited");
    expect(managed.running("me")).toEqual([]);
  },
);
