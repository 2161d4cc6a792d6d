import { join } from "node:path";
import { createHandleStore, localOwner, openDatabase } from "@llmc/handles";
import { expect, onTestFinished, test } from "vitest";
import { freshHome, texts } from "./processes.js";

const LINES = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} with a héllo 語 and more words\n`);

/** Keeps a payload as a server of this user does, and reads it by te. */
async function withPayload(payload: string | Buffer, owner = localOwner()) {
  const stage = freshHome();
  const dataDir = join(stage.home, ".local/state/llmc");
  const database = await openDatabase({ dataDir, warn: (text) => expect.unreachable(text) });
  const limits = { maxTotalBytes: 1e8, maxPayloadBytes: 1e8, maxAgeHours: 1 };
  const store = await createHandleStore(database, { limits });
  onTestFinished(() => database.close());
  onTestFinished(() => store.close());
  const made = await store.create({ owner, type: "cmd", meta: { kind: "test" }, payload: Buffer.from(payload) });
  const id = made?.id ?? "";
  return { ...stage, id, read: (...args: string[]) => stage.te(["--handle", id, ...args]) };
}

test("a handle that a server of the same user made is read to the byte", async () => {
  const bytes = Buffer.from([0, 255, 10, 13, 200, 0]);
  const { read } = await withPayload(bytes);
  expect((await read()).stdout.equals(bytes)).toBe(true);
});

test("chunks put together are the whole, and behind the last one is an error", async () => {
  const { read } = await withPayload(LINES.join(""));
  const chunks: string[] = [];
  for (;;) {
    const { code, stdout, stderr } = texts(await read("--chunk", String(chunks.length)));
    if (code !== 0) {
      expect([code, stderr]).toEqual([2, expect.stringContaining(`has ${chunks.length} chunks`)]);
      break;
    }
    chunks.push(stdout);
  }
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.join("")).toBe(LINES.join(""));
});

test.each([
  [["--lines", "10-11"], LINES.slice(9, 11).join("")],
  [["--lines", "-1"], LINES.at(-1)],
  [
    ["--match", "LINE 299\\d "],
    LINES.slice(2989, 2999)
      .map((line, at) => `${2990 + at}: ${line}`)
      .join(""),
  ],
  [["--match", "line 1", "--lines", "15-16"], `15: ${LINES[14]}16: ${LINES[15]}`],
])("%j", async (args, stdout) => {
  const { read } = await withPayload(LINES.join(""));
  expect(texts(await read(...args))).toEqual({ code: 0, stdout, stderr: "" });
});

test.each([
  [["--lines", "4000-"], 2, 'te: lines is "4000-", and there are 3000 lines'],
  [["--match", "("], 2, "te: --match: Invalid regular expression"],
  [["--match", "nowhere"], 1, "te: no line of H_cmd_"],
])("%j is told in one line", async (args, code, stderr) => {
  const { read } = await withPayload(LINES.join(""));
  const ended = texts(await read(...args));
  expect([ended.code, ended.stdout, ended.stderr.slice(0, stderr.length)]).toEqual([code, "", stderr]);
  expect(ended.stderr.split("\n")).toHaveLength(2);
});

test("an unknown handle and that of another user do not exist", async () => {
  const { te, read } = await withPayload("secret", "user:somebody");
  for (const ended of [await te(["--handle", "h000000"]), await te(["--handle", "x"]), await read()])
    expect(texts(ended)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^te: There is no handle .*\n$/),
    });
});
