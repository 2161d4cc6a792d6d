import fc from "fast-check";
import { expect, test } from "vitest";
import { LockWorld } from "./lock-world.js";

/** What happens next: a process makes a call, or dies and another one comes. */
type Event = { readonly who: number; readonly dies: boolean; readonly calls: number };

const COMPANY = 4;
const event: fc.Arbitrary<Event> = fc.record({
  who: fc.nat(COMPANY - 1),
  dies: fc.nat(9).map((roll) => roll === 0),
  // One runs on for a while: only so it gets through what another is stopped in the middle of.
  calls: fc.oneof(fc.constant(1), fc.nat(25)),
});

/** The most that were ever inside at once. */
function play(world: LockWorld, events: readonly Event[]): number {
  const seats = Array.from({ length: COMPANY }, () => world.add(Number.POSITIVE_INFINITY));
  let most = 0;
  for (const { who, dies, calls } of events) {
    for (let call = 0; call < calls; call++) {
      seats[who]?.step();
      most = Math.max(most, world.inside.length);
    }
    if (!dies) continue;
    Object.assign(seats[who] as object, { isAlive: false });
    seats[who] = world.add(Number.POSITIVE_INFINITY);
  }
  return most;
}

test("however processes take turns and die, no two live ones ever have the lock", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 120 }), (events) => {
      expect(play(new LockWorld(), events)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 3000 },
  );
});

test("whatever dead processes left behind, those that come later get the lock and leave nothing of their own", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 120 }), (events) => {
      const world = new LockWorld();
      play(world, events);
      for (const each of world.processes) each.isAlive = false;
      const late = [world.add(2), world.add(2)];
      for (let call = 0; call < 1000; call++) late[call % 2]?.step();
      const left = [...world.names].filter(([name, owner]) => name === "lock" || world.processes[owner]?.isAlive);
      expect({ done: late.map(({ isDone }) => isDone), left }).toEqual({ done: [true, true], left: [] });
    }),
    { numRuns: 500 },
  );
});
