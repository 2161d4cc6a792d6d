import { expect, test } from "vitest";
import { commandTimes } from "../../src/index.js";

test("a command without a named time is handed over when its time is up", () => {
  expect(commandTimes(undefined, { usual: 30, handOver: 45 })).toEqual({ end: 30, handOver: 30, isNamed: false });
});

test("a long named time is handed over before its end, a short one never", () => {
  expect(commandTimes(600, { usual: 30, handOver: 45 })).toEqual({ end: 600, handOver: 45, isNamed: true });
  expect(commandTimes(45, { usual: 30, handOver: 45 })).toEqual({ end: 45, handOver: undefined, isNamed: true });
});

test("where no client can come back, nothing is handed over", () => {
  expect(commandTimes(undefined, { usual: 30, handOver: undefined }).handOver).toBeUndefined();
  expect(commandTimes(600, { usual: 30, handOver: undefined }).handOver).toBeUndefined();
});
