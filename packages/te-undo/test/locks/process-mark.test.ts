import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { fateOf, ownMark } from "../../src/locks/process-mark.js";
import { bundled, run } from "./programs.js";

const [, sight = "", pid = "", start = ""] = ownMark().split(" ");
const marked = (...parts: readonly (string | number)[]): string => `llmc1 ${parts.join(" ")}`;

interface Told {
  readonly fate: string;
  readonly mark: string;
}

async function told(argv: readonly [string, ...string[]]): Promise<Told> {
  return JSON.parse((await run(argv).says("ready")).split("\n")[0] ?? "") as Told;
}

test("a process's mark says where it runs, its pid, and when it started", () => {
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  expect([sight.split("/").length, pid, start]).toEqual([3, String(process.pid), fields[19]]);
  expect(sight.split("/")[0]).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
});

test.each([
  ["ours", ownMark(), "alive"],
  ["an earlier process with our pid", marked(sight, pid, Number(start) - 1), "dead"],
  ["a pid that nobody has", marked(sight, 4_194_305, 1), "dead"],
  ["our pid before the machine was started anew", marked(sight.replace(/^./, "z"), pid, start), "unseen"],
  ["our pid in another container", marked(sight.replace("pid:[", "pid:[1"), pid, start), "unseen"],
  ["our pid in another time namespace", marked(`${sight}1`, pid, start), "unseen"],
  ["nothing", "", "unseen"],
  ["half a mark", ownMark().slice(0, 20), "unseen"],
  ["a mark of another make", ownMark().replace("llmc1", "llmc2"), "unseen"],
  ["two marks", `${ownMark()}\n${ownMark()}`, "unseen"],
  ["a thread of ours that is no process", marked(sight, threadOfOurs(), start), "dead"],
])("of %s it is said what is known", (_, mark, fate) => {
  expect(fateOf(mark)).toBe(fate);
});

/** One that began in another tick of the clock than the process: only its start tells them apart. */
function threadOfOurs(): string {
  const startOf = (tid: string): string | undefined =>
    readFileSync(`/proc/self/task/${tid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ")[19];
  return readdirSync("/proc/self/task").find((tid) => tid !== pid && startOf(tid) !== start) ?? "4194301";
}

test("another process is alive until it is killed, even before its parent takes notice", async () => {
  const program = await bundled("fate");
  // The shell becomes a program that never asks after its child, which stays as a zombie.
  const parent = run(["/bin/sh", "-c", '"$0" "$1" & exec sleep 1000', process.execPath, program]);
  const { mark } = JSON.parse((await parent.says("ready")).split("\n")[0] ?? "") as Told;
  const child = mark.split(" ")[2] ?? "";
  expect(fateOf(mark)).toBe("alive");
  process.kill(Number(child), "SIGKILL");
  await zombie(child);
  expect(fateOf(mark)).toBe("dead");
});

/** Dead and not reaped; before that its main thread ends, while others may still be in a system call. */
async function zombie(pid: string): Promise<void> {
  while (!/\) Z (\S+ ){16}1 /.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const python = spawnSync("python3", ["-c", "import ctypes"]).status === 0;
const HEADLESS = `
import ctypes, os, sys, threading, time
print(os.readlink("/proc/self"), flush=True)
threading.Thread(target=time.sleep, args=(1000,)).start()
print("ready", flush=True)
ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
`;

test.skipIf(!python)("a process lives as long as one of its threads does (needs python3)", async () => {
  const [own = ""] = (await run(["python3", "-c", HEADLESS]).says("ready")).split("\n");
  const stat = (): string[] =>
    readFileSync(`/proc/${own}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
  while (stat()[0] !== "Z") await new Promise((resolve) => setImmediate(resolve));
  expect(fateOf(marked(sight, own, stat()[19] ?? ""))).toBe("alive");
});

const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;

test.skipIf(!canUnshare)("processes in two pid namespaces cannot tell about each other (needs unshare)", async () => {
  const other = await told([
    "unshare",
    "--pid",
    "--fork",
    "--mount-proc",
    process.execPath,
    await bundled("fate"),
    ownMark(),
  ]);
  expect([other.fate, fateOf(other.mark)]).toEqual(["unseen", "unseen"]);
});

test.skipIf(!canUnshare)("where /proc shows another pid namespace nobody is recognised (needs unshare)", async () => {
  const other = await told(["unshare", "--pid", "--fork", process.execPath, await bundled("fate"), ownMark()]);
  expect([other.fate, fateOf(other.mark), other.mark.includes("pid:")]).toEqual(["unseen", "unseen", false]);
});

const HIDING = "mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65534 --regid 65534 --clear-groups";
const canHide = spawnSync("unshare", ["--mount", "sh", "-c", `${HIDING} test ! -e /proc/1`]).status === 0;

test.skipIf(!canHide)(
  "who is not shown by a /proc that hides others may be alive (needs unshare and hidepid)",
  async () => {
    const program = await bundled("fate");
    const hidden = run([
      "unshare",
      "--mount",
      "sh",
      "-c",
      `chmod 755 "\${1%/*}" && ${HIDING} "$0" "$1" "$2"`,
      process.execPath,
      program,
      ownMark(),
    ]);
    expect(JSON.parse((await hidden.says("ready")).split("\n")[0] ?? "")).toMatchObject({ fate: "unseen" });
  },
);
