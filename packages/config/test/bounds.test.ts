import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigError, settingsOf, type McpInput } from "../src/index.js";

const LIMITS = "mcp.linux_ops.process_limits";

test("a bound that the operator lowered takes every default above it down, and says so", () => {
  const { mcp, moved, origins } = settingsOf({ mcp: { linux_ops: { process_limits: { max_timeout_sec: 8 } } } });
  expect([mcp.linux_ops.process_limits.default_timeout_sec, mcp.tools.exec_timeout, mcp.te.timeout]).toEqual([8, 8, 8]);
  expect(moved).toEqual([
    `${LIMITS}.default_timeout_sec is 8 instead of 60, because of ${LIMITS}.max_timeout_sec`,
    `mcp.tools.exec_timeout is 8 instead of 30, because of ${LIMITS}.max_timeout_sec`,
    expect.stringMatching(/^mcp\.te\.timeout is 8 instead of \d+, because/),
  ]);
  expect(origins["mcp.tools.exec_timeout"]).toBe(`${LIMITS}.max_timeout_sec`);
});

test("a written value above the default of its bound lifts the bound", () => {
  const { mcp, moved } = settingsOf({ mcp: { tools: { exec_timeout: 1200 }, te: { timeout: 900 } } });
  expect([mcp.tools.exec_timeout, mcp.te.timeout, mcp.linux_ops.process_limits.max_timeout_sec]).toEqual([
    1200, 900, 1200,
  ]);
  expect(moved).toEqual([`${LIMITS}.max_timeout_sec is 1200 instead of 600, because of mcp.tools.exec_timeout`]);
});

const value = fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined });

test("only two written values contradict each other, and what is served keeps every bound", () => {
  const given = fc.record({ max: value, usual: value, exec: value, te: value, session: value, total: value });
  fc.assert(
    fc.property(given, ({ max, usual, exec, te, session, total }) => {
      const mcp = {
        tools: { exec_timeout: exec },
        te: { timeout: te },
        linux_ops: {
          process_limits: {
            max_timeout_sec: max,
            default_timeout_sec: usual,
            max_procs_per_session: session,
            max_procs_total: total,
          },
        },
      } as McpInput;
      const contradicts =
        [usual, exec, te].some((each) => each !== undefined && max !== undefined && each > max) ||
        (session !== undefined && total !== undefined && session > total);
      if (contradicts) {
        expect(() => settingsOf({ mcp })).toThrow(ConfigError);
        return;
      }
      const { mcp: served } = settingsOf({ mcp });
      const limits = served.linux_ops.process_limits;
      const asked = { max, usual, exec, te, session, total };
      const got = {
        max: limits.max_timeout_sec,
        usual: limits.default_timeout_sec,
        exec: served.tools.exec_timeout,
        te: served.te.timeout,
        session: limits.max_procs_per_session,
        total: limits.max_procs_total,
      };
      for (const [name, written] of Object.entries(asked))
        if (written !== undefined) expect(got[name as keyof typeof got]).toBe(written);
      expect(Math.max(got.usual, got.exec, got.te)).toBeLessThanOrEqual(got.max);
      expect(got.session).toBeLessThanOrEqual(got.total);
    }),
  );
});
