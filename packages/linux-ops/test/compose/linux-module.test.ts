import { settingsOf } from "@llmc/config";
import type { ManagedProcesses } from "@llmc/te-process";
import { createDispatcher, type CallContext, type Session } from "@llmc/toolkit";
import { describe, expect, test } from "vitest";
import { idleClock } from "../../src/compose/idle-clock.js";
import { linuxModule } from "../../src/compose/linux-module.js";
import type { SharedServices } from "../../src/context/shared-services.js";

const SESSION: Session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };

/** A service that fails the test when it is used. */
function untouchable(): never {
  return new Proxy(() => {}, {
    get: (_target, name) => {
      throw new Error(`${String(name)} was asked for`);
    },
    apply: () => {
      throw new Error("it was called");
    },
  }) as never;
}

test("to make a context changes no service and opens none", () => {
  const names = ["files", "handles", "managed", "search", "commands", "processes", "readers", "database"] as const;
  const shared = Object.fromEntries(names.map((name) => [name, untouchable()])) as unknown as SharedServices;
  const call = { session: SESSION, entry: "stdio" } as CallContext;
  const context = linuxModule.open(settingsOf({}), shared).contextOf(call);
  expect(context.session).toBe(SESSION);
  expect(context.managed).toBe(shared.managed);
});

describe("the idle clock of managed processes", () => {
  async function calledBy(name: string, entry: "stdio" | "http"): Promise<unknown[]> {
    const called: unknown[] = [];
    const managed = { called: (...args: unknown[]) => void called.push(args) } as unknown as ManagedProcesses;
    const dispatcher = createDispatcher({
      tools: [linuxModule.tools[0]],
      contextOf: (call) => call,
      middleware: [idleClock(managed)],
    });
    await dispatcher.call(name, {}, { session: SESSION, entry }).catch(() => {});
    return called;
  }

  test("a call over HTTP starts it anew for its session", async () => {
    expect(await calledBy("linux.fs_read", "http")).toEqual([["o", false]]);
  });

  test("a stdio client is there as long as the server, each of its sessions for itself", async () => {
    expect(await calledBy("linux.fs_read", "stdio")).toEqual([["s", true]]);
  });

  test("a tool that does not exist is no call of the session", async () => {
    expect(await calledBy("linux.nothing", "http")).toEqual([]);
  });
});
