import { expect, test } from "vitest";
import { sessionKey, type Entry } from "../src/index.js";

const session = { id: "s-1", agentId: "a", model: "m", token: "t", owner: "user:1000" };

test("two chat windows over stdio are two sessions of one owner", () => {
  expect(sessionKey({ entry: "stdio", session })).toBe("s-1");
  expect(sessionKey({ entry: "stdio", session: { ...session, id: "s-2" } })).toBe("s-2");
});

test.for<Entry>(["http", "rest", "library"])("over %s the owner names the session", (entry) => {
  expect(sessionKey({ entry, session })).toBe("user:1000");
});
