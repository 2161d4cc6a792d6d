import { expect, onTestFinished, test, vi } from "vitest";
import { awaited, keyNamed } from "../../src/index.js";
import { heard, KINDS, LONG_MS, stage } from "./stage.js";

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

const PLACES = KINDS.flatMap((kind) =>
  ([undefined, "node-pty", "script"] as const).map((terminal) => [kind, terminal] as const),
);

test.for(PLACES)(
  "a Python REPL, %s, terminal by %s: a function of 20 lines, an endless loop that is interrupted, its end",
  { timeout: 4 * LONG_MS },
  async ([kind, terminal]) => {
    const { start, managed } = await stage(kind, { nodePty: terminal === "node-pty" });
    const python = await start("python3 -i", { pty: terminal !== undefined });

    const banner = await heard(python);
    expect([banner.why, banner.text]).toEqual(["prompt", expect.stringMatching(/Python 3[^]*>>> $/)]);

    const { at } = python.send(FUNCTION);
    const answer = await heard(python, { from: at });
    expect([answer.why, answer.text]).toEqual(["prompt", expect.stringMatching(/\(25, 1060\)\n>>> $/)]);

    // Interrupted before it has begun, it would begin behind the interrupt.
    python.send(`exec("print('be' + 'gun', flush=True)\\nwhile True: pass")\n`);
    expect(await python.wait({ ms: LONG_MS, until: awaited("begun") })).toBe("matched");
    const pressed = await python.press(keyNamed("ctrl-c"));
    const interrupted = await heard(python, { from: pressed.at });
    expect([interrupted.why, interrupted.text]).toEqual(["prompt", expect.stringMatching(/KeyboardInterrupt\n>>> $/)]);

    // Lets fake time pass by a tenth of a second only, so that the prompt ends the wait and not silence.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let passed = 0;
    const clock = setInterval(() => passed++ < 100 && vi.advanceTimersByTime(1), 1);
    const again = python.send("6 * 7\n");
    const product = await heard(python, { from: again.at }).finally(() => clearInterval(clock));
    vi.useRealTimers();
    expect(product.text).toMatch(/42\n>>> $/);

    expect(await python.stop(2000)).toEqual([]);
    expect(python.state).toBe("exited");
    expect(managed.running("me")).toEqual([]);
  },
);
