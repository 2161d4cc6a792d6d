import { NotFoundError } from "@llmc/errors";
import { expect, test } from "vitest";
import { drive, driveNow, NeedsNetworkError, type Answer, type Network } from "../../src/kernel/drive.js";
import { close, fstat, lstat, open, waitFor, type Work, type Syscall } from "../../src/kernel/syscalls.js";

/** Answers from a list, and writes down what it was asked for. */
function scripted(...answers: readonly Answer[]): { network: Network; log: string[] } {
  const log: string[] = [];
  const left = [...answers];
  const network: Network = {
    call: async ({ name, args }) => {
      log.push(`call ${name} ${args[0]}`);
      return left.shift() ?? { ok: true, value: undefined };
    },
    release: ({ name, args }) => log.push(`release ${name} ${args[0]}`),
  };
  return { network, log };
}

function* nested(): Work<string> {
  const outer = yield* open("/net", "outer", 0);
  try {
    const inner = yield* open("/net", "inner", 0);
    try {
      yield* fstat(inner);
      return "done";
    } finally {
      yield* close(inner);
    }
  } finally {
    yield* close(outer);
  }
}

const value = (number: number): Answer => ({ ok: true, value: number });

test("what was opened is closed in turn, after an error too", async () => {
  const well = scripted(value(7), value(8), value(0));
  expect([await drive(nested(), well.network), well.log]).toEqual([
    "done",
    ["call open outer", "call open inner", "call fstat 8", "call close 8", "call close 7"],
  ]);
  const failing = scripted(value(7), { ok: false, error: new NotFoundError("x"), lost: false });
  await expect(drive(nested(), failing.network)).rejects.toThrow("x does not exist");
  expect(failing.log).toEqual(["call open outer", "call open inner", "call close 7"]);
});

test("after a call that was given up nothing waits for the mount any more", async () => {
  const { network, log } = scripted(value(7), value(8), { ok: false, error: new Error("gave up"), lost: true });
  await expect(drive(nested(), network)).rejects.toThrow("gave up");
  expect(log).toEqual(["call open outer", "call open inner", "call fstat 8", "release close 8", "release close 7"]);
});

test("an aborted signal stops before the next call, but not the tidying up", async () => {
  const abort = new AbortController();
  const { network, log } = scripted(value(7), value(8));
  const aborting: Network = {
    ...network,
    call: async (call: Syscall, signal) => {
      if (call.args[0] === "inner") abort.abort();
      return await network.call(call, signal);
    },
  };
  await expect(drive(nested(), aborting, abort.signal)).rejects.toMatchObject({ code: "CANCELLED" });
  expect(log).toEqual(["call open outer", "call open inner", "call close 8", "call close 7"]);
});

test("driven without waiting, local work is done and work on a network mount refused", () => {
  expect(driveNow(lstat(null, "/"))).toMatchObject({ mode: expect.any(BigInt) });
  expect(() => driveNow(nested())).toThrow(NeedsNetworkError);
});

function* waiting(until: () => Promise<string>): Work<string> {
  const held = yield* open("/net", "held", 0);
  try {
    return yield* waitFor(until);
  } finally {
    yield* close(held);
  }
}

test("work waits for a computation and holds its descriptors meanwhile", async () => {
  const { network, log } = scripted(value(7));
  const until = async (): Promise<string> => {
    await new Promise((resolve) => setImmediate(resolve));
    log.push("computed");
    return "new";
  };
  expect(await drive(waiting(until), network)).toBe("new");
  expect(log).toEqual(["call open held", "computed", "call close 7"]);
});

test("a computation that fails ends the work, and none begins for a caller that has gone", async () => {
  const failing = scripted(value(7));
  await expect(
    drive(
      waiting(() => Promise.reject(new Error("no match"))),
      failing.network,
    ),
  ).rejects.toThrow("no match");
  expect(failing.log).toEqual(["call open held", "call close 7"]);
  const gone = scripted(value(7));
  const abort = new AbortController();
  const network: Network = {
    ...gone.network,
    call: async (call, signal) => {
      abort.abort();
      return await gone.network.call(call, signal);
    },
  };
  const until = async (): Promise<string> => String(gone.log.push("computed"));
  await expect(drive(waiting(until), network, abort.signal)).rejects.toMatchObject({ code: "CANCELLED" });
  expect(gone.log).toEqual(["call open held", "call close 7"]);
});
