import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, writeFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { openLogOutput } from "../../src/log/log-output.js";
import { tempDir } from "../fixture.js";

const NOTICE = (lines: number) => `lost ${lines}\n`;
const program = join(import.meta.dirname, "../programs", "log-flood.ts");

function flooding(stderr: "pipe" | number): ChildProcess {
  const child = spawn(process.execPath, ["--conditions=llmc-source", "--import", "tsx", program], {
    stdio: ["ignore", "ignore", stderr, "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function fifo(): { path: string; reader: number } {
  const path = join(tempDir(), "fifo");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { path, reader };
}

/** What is in the pipe right now. */
function drain(reader: number): string {
  const chunk = Buffer.alloc(1 << 16);
  let text = "";
  for (;;) {
    const bytes = tryRead(reader, chunk);
    if (bytes === 0) return text;
    text += chunk.toString("latin1", 0, bytes);
  }
}

function tryRead(reader: number, chunk: Buffer): number {
  try {
    return readSync(reader, chunk);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw thrown;
  }
}

describe("a log whose reader has stopped reading", () => {
  test("does not stop a server whose stderr is a socket, as Node's own children have it", async () => {
    const child = flooding("pipe");
    const [message] = (await once(child, "message")) as [unknown];
    expect(message).toBe("alive");

    const text = await readUntil(child.stderr as Readable, "log lines were lost");

    expectWholeLines(text);
  });

  test("does not stop a server whose stderr is a pipe", async () => {
    const { path, reader } = fifo();
    const writer = openSync(path, constants.O_WRONLY);
    const child = flooding(writer);
    closeSync(writer);
    const [message] = (await once(child, "message")) as [unknown];
    expect(message).toBe("alive");

    let text = "";
    while (!text.includes("log lines were lost")) {
      text += drain(reader);
      await sleep(5);
    }
    closeSync(reader);

    expectWholeLines(text);
  });

  // Beyond 4 KiB the kernel takes a part of a line.
  test.each([990, 9_990])(
    "loses the lines of %i bytes beyond a bound, whole, and says how many once there is room",
    (length) => {
      const { path, reader } = fifo();
      const writer = openSync(path, constants.O_WRONLY);
      const output = openLogOutput(writer, NOTICE);
      const line = (n: number) => `${n} ${"x".repeat(length)}\n`;
      for (let n = 0; n < 2_000; n += 1) output.write(line(n));
      let text = "";
      for (let round = 0; round < 200; round += 1) {
        text += drain(reader);
        output.flush();
      }
      closeSync(writer);
      closeSync(reader);

      const lines = text.split("\n").slice(0, -1);
      const kept = lines.length - 1;
      // 64 KiB of pipe and 1 MiB of queue.
      expect(kept * length).toBeGreaterThan(1_000_000);
      expect(kept * length).toBeLessThan(1_200_000);
      expect(lines.slice(0, -1)).toEqual(Array.from({ length: kept }, (_, n) => line(n).slice(0, -1)));
      expect(lines.at(-1)).toBe(`lost ${2_000 - kept}`);
    },
  );

  test("and a pipe that nobody reads any more costs nothing, until somebody does", () => {
    const { path, reader } = fifo();
    const writer = openSync(path, constants.O_WRONLY);
    const output = openLogOutput(writer, NOTICE);
    closeSync(reader);
    output.write("gone 1\n");
    output.write("gone 2\n");
    const second = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    output.write("here\n");
    const text = drain(second);
    closeSync(writer);
    closeSync(second);

    expect(text).toBe("here\nlost 2\n");
  });
});

test("lines to a file follow what others write to it", () => {
  const path = join(tempDir(), "log");
  writeFileSync(path, "");
  const fd = openSync(path, "w");
  const output = openLogOutput(fd, NOTICE);
  output.write("one\n");
  execFileSync("sh", ["-c", "echo two"], { stdio: ["ignore", fd, "ignore"] });
  output.write("three\n");
  closeSync(fd);

  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
});

test("a descriptor that is closed is no reason to fail", () => {
  const fd = openSync("/dev/null", "w");
  const output = openLogOutput(fd, NOTICE);
  closeSync(fd);

  expect(() => output.write("x\n")).not.toThrow();
});

async function readUntil(stream: Readable, end: string): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    text += chunk as string;
    if (text.includes(end)) return text;
  }
  throw new Error(`the stream ended without ${end}`);
}

/** In order and unbroken, then the count of what is missing. */
function expectWholeLines(text: string): void {
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { n?: number; lines?: number });
  const kept = lines.filter(({ n }) => n !== undefined);
  expect(kept.map(({ n }) => n)).toEqual(kept.map((_, n) => n));
  expect(kept.length + (lines.find((line) => line.lines !== undefined)?.lines ?? 0)).toBe(40_000);
}
