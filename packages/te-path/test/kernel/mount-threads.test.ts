import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readlinkSync, readdirSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Answer } from "../../src/kernel/drive.js";
import { MountThreads } from "../../src/kernel/mount-threads.js";
import { perform, type Syscall } from "../../src/kernel/syscalls.js";
import { freshDir, plant } from "../tree.js";

// Opening a FIFO waits in the kernel until somebody opens its other end: a dead mount that a test can revive.
const TIMEOUT_MS = 40;

function fifo(): { path: string; open: (mount?: string) => Syscall; revive: () => void } {
  const path = `${freshDir()}/pipe`;
  execFileSync("mkfifo", [path]);
  let other: number | undefined;
  onTestFinished(() => {
    if (other !== undefined) closeSync(other);
  });
  return {
    path,
    open: (mount = "/dead") => ({ mount, name: "open", args: [path, constants.O_RDONLY] }),
    revive: () => (other ??= openSync(path, constants.O_RDWR)),
  };
}

function threads(count = 4, timeoutMs = TIMEOUT_MS): MountThreads {
  const network = new MountThreads({ timeoutMs, threads: count });
  onTestFinished(() => network.end());
  return network;
}

const lstat = (mount: string): Syscall => ({ mount, name: "lstat", args: ["/"] });
const codeOf = (answer: Answer) =>
  answer.ok ? "ok" : ((answer.error as { code?: string }).code ?? String(answer.error));
const descriptorsOf = (path: string) =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;

test("a thread makes every call as it is made here", async () => {
  const dir = plant(freshDir(), { f: "content", link: { to: "f" } });
  const network = threads(1, 10_000);
  const both = async (call: Omit<Syscall, "mount">) => {
    const into = call.into && Buffer.alloc(call.into.length);
    const there = await network.call({ ...call, ...(into && { into }), mount: "/m" }, undefined);
    const here = attempt({ ...call, mount: null });
    return [there.ok ? there.value : (there.error as { code: string }).code, into, here, call.into];
  };
  const fd = openSync(`${dir}/f`, "r");
  onTestFinished(() => closeSync(fd));
  for (const call of [
    { name: "fstat", args: [fd] },
    { name: "stat", args: [`${dir}/link`] },
    { name: "lstat", args: [`${dir}/link`] },
    { name: "stat", args: [`${dir}/no`] },
    { name: "lstat", args: [`${dir}/no`] },
    { name: "readlink", args: [`${dir}/link`] },
    { name: "readlink", args: [`${dir}/f`] },
    { name: "readdir", args: [dir] },
    { name: "open", args: [`${dir}/no`, 0] },
    { name: "close", args: [99_999] },
    { name: "read", args: [fd, 4, 2], into: Buffer.alloc(4) },
    { name: "read", args: [fd, 4, 6], into: Buffer.alloc(4) },
    { name: "read", args: [99_999, 4, 6], into: Buffer.alloc(4) },
  ] as const) {
    const [there, intoThere, here, intoHere] = await both(call);
    expect({ name: call.name, result: there, into: intoThere }).toEqual({
      name: call.name,
      result: here,
      into: intoHere,
    });
  }
  const opened = await network.call({ mount: "/m", name: "open", args: [`${dir}/f`, 0] }, undefined);
  const number = (opened as { value: number }).value;
  expect(descriptorsOf(`${dir}/f`)).toBe(2);
  expect(await network.call({ mount: "/m", name: "close", args: [number] }, undefined)).toEqual({
    ok: true,
    value: undefined,
  });
  expect(descriptorsOf(`${dir}/f`)).toBe(1);
});

function attempt(call: Syscall): unknown {
  try {
    return perform(call);
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
}

test("a call that outlasts its time is given up, and the mount is named", async () => {
  const { open, revive } = fifo();
  const network = threads();
  const answer = await network.call(open("/mnt/dead"), undefined);
  expect([answer, network.abandoned]).toMatchObject([
    { ok: false, lost: true, error: { code: "TIMEOUT", message: "the mount /mnt/dead does not answer" } },
    1,
  ]);
  revive();
  await vi.waitFor(() => expect(network.abandoned).toBe(0));
});

test("what a call opened after it was given up is closed again", async () => {
  const { path, open, revive } = fifo();
  const network = threads();
  await network.call(open(), undefined);
  revive();
  await vi.waitFor(() => expect([network.abandoned, descriptorsOf(path)]).toEqual([0, 1]));
});

test("a dead mount takes half of the threads and is then answered at once; the others go on", async () => {
  const [dead, other] = [fifo(), fifo()];
  const network = threads(4);
  expect((await Promise.all([1, 2].map(() => network.call(dead.open("/a"), undefined)))).map(codeOf)).toEqual([
    "TIMEOUT",
    "TIMEOUT",
  ]);
  // The answer is there before anything that takes time could be.
  let answered: string | undefined;
  void network.call(lstat("/a"), undefined).then((answer) => (answered = codeOf(answer)));
  await Promise.resolve();
  expect(answered).toBe("TIMEOUT");
  expect(codeOf(await network.call(lstat("/b"), undefined))).toBe("ok");
  expect((await Promise.all([1, 2, 3].map(() => network.call(other.open("/b"), undefined)))).map(codeOf)).toEqual(
    Array(3).fill("TIMEOUT"),
  );
  expect([network.abandoned, codeOf(await network.call(lstat("/c"), undefined))]).toEqual([4, "TIMEOUT"]);
  dead.revive();
  await vi.waitFor(() => expect(network.abandoned).toBe(2));
  expect([
    codeOf(await network.call(lstat("/a"), undefined)),
    codeOf(await network.call(lstat("/c"), undefined)),
  ]).toEqual(["ok", "ok"]);
  other.revive();
  await vi.waitFor(() => expect(network.abandoned).toBe(0));
});

test("calls wait for a thread that works, and all are made", async () => {
  const network = threads(2, 10_000);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => network.call(lstat(`/m${n % 3}`), undefined)));
  expect(answers.map(codeOf)).toEqual(Array(50).fill("ok"));
});

test("an abort gives up a call that is under way, and one that still waits", async () => {
  const { open, revive } = fifo();
  const network = threads(1, 60_000);
  const abort = new AbortController();
  const [running, waiting] = [network.call(open("/a"), abort.signal), network.call(lstat("/b"), abort.signal)];
  abort.abort();
  expect([codeOf(await running), codeOf(await waiting), network.abandoned]).toEqual(["CANCELLED", "CANCELLED", 1]);
  revive();
  await vi.waitFor(() => expect(network.abandoned).toBe(0));
  expect(codeOf(await network.call(lstat("/a"), undefined))).toBe("ok");
});

test("a descriptor that is released while its mount hangs is closed when the mount comes back", async () => {
  const { open, revive } = fifo();
  const network = threads(1);
  const path = `${freshDir()}/f`;
  writeFileSync(path, "");
  const fd = openSync(path, "r");
  await network.call(open("/a"), undefined);
  network.release({ mount: "/a", name: "close", args: [fd] });
  expect(descriptorsOf(path)).toBe(1);
  revive();
  await vi.waitFor(() => expect([network.abandoned, descriptorsOf(path)]).toEqual([0, 0]));
});

test("a close is never lost, neither on a dead mount nor after the end", async () => {
  const { open, revive } = fifo();
  const network = threads(1);
  const path = `${freshDir()}/f`;
  writeFileSync(path, "");
  const fds = [openSync(path, "r"), openSync(path, "r"), openSync(path, "r")];
  const close = (index: number) =>
    network.call({ mount: "/a", name: "close", args: [fds[index] as number] }, undefined);
  await network.call(open("/a"), undefined);
  expect(codeOf(await close(0))).toBe("ok");
  network.end();
  expect(codeOf(await close(1))).toBe("ok");
  expect(descriptorsOf(path)).toBe(3);
  revive();
  await vi.waitFor(() => expect([network.abandoned, descriptorsOf(path)]).toEqual([0, 1]));
  expect(codeOf(await close(2))).toBe("ok");
  await vi.waitFor(() => expect(descriptorsOf(path)).toBe(0));
});

test("a descriptor outlives the thread that opened it", async () => {
  const path = `${freshDir()}/f`;
  writeFileSync(path, "");
  const tasks = () => readdirSync("/proc/self/task").length;
  const before = tasks();
  const network = threads();
  const opened = await network.call({ mount: "/a", name: "open", args: [path, 0] }, undefined);
  network.end();
  await vi.waitFor(() => expect(tasks()).toBe(before), 5000);
  expect(descriptorsOf(path)).toBe(1);
  closeSync((opened as { value: number }).value);
});

test("after its end nothing is called any more", async () => {
  const network = threads();
  await network.call(lstat("/a"), undefined);
  network.end();
  expect(await network.call(lstat("/a"), undefined)).toMatchObject({ ok: false, lost: true });
});
