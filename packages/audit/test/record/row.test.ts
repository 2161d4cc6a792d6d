import { NotFoundError } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import { createMask } from "../../src/text/mask.js";
import { rowOf, summaryOf } from "../../src/record/row.js";
import { record } from "../fixture.js";

const SIZES = { bytesOut: 1, tokensIn: 2, tokensOut: 3 };
const mask = createMask(["correct horse battery"]);
const row = (given: Parameters<typeof record>[0]) => rowOf(record(given), SIZES, mask);

describe("a row", () => {
  test("has a summary of the arguments that is compact, masked and at most 500 characters long", () => {
    const args = {
      path: "/srv/a",
      token: "x",
      command: "curl -H 'Authorization: Bearer abcdefgh'",
      list: Array.from({ length: 99 }, () => "y".repeat(300)),
    };
    const { args: summary } = row({ args });

    expect(summary).toMatch(
      /^\{"path":"\/srv\/a","token":"\*\*\*","command":"curl -H 'Authorization: \*\*\* \*\*\*'","list":\["y/,
    );
    expect(summary).toHaveLength(500);
    expect(summary.endsWith("…")).toBe(true);
    expect(row({ args: null }).args).toBe("null");
    expect(row({ args: undefined }).args).toBe("");
    expect(summaryOf({ a: 1 }, mask)).toBe('{"a":1}');
  });

  test("never cuts a character in two", () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const { args } = row({ args: Array.from({ length: 20 }, () => "x".repeat(shift) + "😀".repeat(40)) });
      expect(args).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test("has facts as whole JSON, masked and bounded", () => {
    expect(row({ facts: { path: "/srv/a", url: "https://me:pw@h/", pid: 7, password: "x" } }).facts).toBe(
      '{"path":"/srv/a","url":"https://***@h/","pid":7,"password":"***"}',
    );
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`path${n}`, "p".repeat(400)]));
    const { facts } = row({ facts: many });
    expect(facts.length).toBeLessThanOrEqual(2_000);
    expect(Object.keys(JSON.parse(facts) as object)).toEqual(["path0", "path1", "path2", "path3"]);
  });

  test("has no control character, whatever the session, the arguments and the facts hold", () => {
    const evil = "a\u001b[2J\n\u009b\u202e\u2028b";
    const kept = row({
      agentId: evil,
      model: evil,
      sessionId: evil,
      handle: evil,
      args: { [evil]: evil },
      facts: { [evil]: evil },
    });

    // oxlint-disable-next-line no-control-regex
    const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/;
    expect(Object.values(kept).filter((value) => unsafe.test(String(value)))).toEqual([]);
    expect(kept.agentId).toBe("a\\u001b[2J\\u000a\\u009b\\u202e\\u2028b");
    expect(JSON.parse(kept.facts)).toEqual({ [evil]: evil });
  });

  test("bounds what a client says of itself, and masks it", () => {
    expect(row({ agentId: "x".repeat(10_000), model: "correct horse battery" })).toMatchObject({
      agentId: "x".repeat(120),
      model: "***",
    });
  });

  test("keeps the tool's name where the tool exists, whatever went wrong", () => {
    expect(row({ status: "NOT_FOUND", error: new NotFoundError("/srv/a") }).tool).toBe("linux.fs_read");
  });

  test("rounds the duration to a microsecond", () => {
    expect(row({ durationMs: 1.23456789 }).durationMs).toBe(1.235);
  });
});
