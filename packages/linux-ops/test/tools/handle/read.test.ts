import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect } from "vitest";
import { settingsOf } from "@llmc/config";
import { createLinuxOps, openServices, VERSION, type LinuxToolResult } from "../../../src/index.js";
import { textOrBase64 } from "../../../src/tools/handle/whole-characters.js";
import { numbered, test, textOf } from "../../helpers.js";

const name = "linux.handle_read";

async function handleOf(ops: ReturnType<typeof createLinuxOps>, root: string, text: string | Buffer): Promise<string> {
  await writeFile(join(root, "file"), text);
  const { handle } = await ops.call("linux.fs_read", { path: join(root, "file"), max_lines: 1 });
  if (handle === null) throw new Error("the file was too short for a handle");
  return handle;
}

test("a slice carries its place, the total and where to go on", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(300));
  expect(await ops.call(name, { handle, offset: 2, limit: 4 })).toEqual({
    data: "2\n3\n",
    encoding: "utf8",
    offset: 2,
    bytes: 4,
    next_offset: 6,
    total_bytes: 1092,
    type: "file_content",
    meta: { kind: "file_content", path: join(root, "file") },
  });
});

test("next_offset followed to null gives the payload byte for byte, whatever the limit", async ({ root, ops }) => {
  const text = "a\n€uro 😀 日本語\n".repeat(20);
  const handle = await handleOf(ops, root, text);
  for (const limit of [1, 2, 3, 5, 16, 1000]) {
    const parts: Buffer[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const slice: LinuxToolResult<typeof name> = await ops.call(name, { handle, offset, limit });
      parts.push(Buffer.from(slice.data, slice.encoding));
      expect(slice.encoding).toBe("utf8");
      offset = slice.next_offset;
    }
    expect(Buffer.concat(parts).toString()).toBe(text);
  }
});

test("any bytes cut at any limit are text of whole characters, or exactly those bytes in base64", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 45 }), (source, limit) => {
      const buffer = Buffer.from(source).subarray(0, limit + 3);
      const slice = textOrBase64(buffer, limit);
      expect(Buffer.from(slice.data, slice.encoding).equals(buffer.subarray(0, slice.bytes))).toBe(true);
      expect(slice.bytes > 0 || buffer.length === 0).toBe(true);
      expect(slice.bytes).toBeLessThanOrEqual(limit + 3);
    }),
  );
});

test("an offset at or beyond the end is an empty slice with nothing to follow", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(3));
  expect(await ops.call(name, { handle, offset: 99 })).toMatchObject({ data: "", bytes: 0, next_offset: null });
});

test("a handle of another session, an invented one and a malformed one get the same answer", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(300));
  const invented = handle.replace(/.{20}$/, "a".repeat(20));
  for (const [asked, session] of [
    [handle, "somebody-else"],
    [invented, undefined],
    ["'; drop table handles; --", undefined],
  ] as const) {
    const call = ops.call(name, { handle: asked }, session === undefined ? {} : { session });
    await expect(call).rejects.toMatchObject({
      code: "HANDLE_NOT_FOUND",
      message: expect.stringMatching(/^There is no handle /),
    });
  }
});

test("with a data dir a handle survives a restart of the same session", async ({ root }) => {
  const options = { roots: [root], dataDir: join(root, ".state") };
  const first = createLinuxOps(options);
  await writeFile(join(root, "file"), numbered(300));
  const { handle } = await first.call("linux.fs_read", { path: join(root, "file") }, { session: "mine" });
  await first.close();
  const second = createLinuxOps(options);
  expect((await second.call(name, { handle: handle ?? "" }, { session: "mine" })).total_bytes).toBe(1092);
  await second.close();
});

test("a handle on what the roots no longer hold does not exist", async ({ root }) => {
  const options = { dataDir: join(root, "state") };
  const wide = createLinuxOps({ ...options, roots: [root] });
  await mkdir(join(root, "inner"));
  await writeFile(join(root, "file"), numbered(300));
  const { handle } = await wide.call("linux.fs_read", { path: join(root, "file") }, { session: "mine" });
  await wide.close();
  const narrow = createLinuxOps({ ...options, roots: [join(root, "inner")] });
  await expect(narrow.call(name, { handle: handle ?? "" }, { session: "mine" })).rejects.toMatchObject({
    code: "HANDLE_NOT_FOUND",
  });
  await narrow.close();
});

test("a handle may be given as the resource that it is", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(300));
  expect((await ops.call(name, { handle: `linuxops://handle/${handle}`, limit: 2 })).data).toBe("1\n");
});

test("a slice costs about what an answer may, unless a limit above the default asks for more", async ({
  root,
  ops,
}) => {
  const hex = Array.from({ length: 600 }, (_, index) => createHash("sha256").update(String(index)).digest("hex")).join(
    "\n",
  );
  const handle = await handleOf(ops, root, hex);
  const { data, bytes, next_offset } = await ops.call(name, { handle });
  expect(countTokens(data)).toBeLessThan(6500);
  expect(next_offset).toBe(bytes);
  expect((await ops.call(name, { handle, limit: 16_384 })).bytes).toBe(bytes);
  expect((await ops.call(name, { handle, limit: 16_385 })).bytes).toBe(16_385);
});

describe("by lines", () => {
  const log = Array.from({ length: 3000 }, (_, nth) => `line ${nth + 1}${nth % 1000 === 499 ? " ERROR: disk" : ""}\n`);

  test.for([
    ["10-12", 10, 12],
    ["2999-", 2999, 3000],
    ["7", 7, 7],
    ["-2", 2999, 3000],
    ["2990-9999", 2990, 3000],
  ] as const)("%s are those lines, with their place among all", async ([lines, first, last], { root, ops }) => {
    const handle = await handleOf(ops, root, log.join(""));
    const data = log.slice(first - 1, last).join("");
    expect(await ops.call(name, { handle, lines })).toEqual({
      data,
      encoding: "utf8",
      offset: 0,
      bytes: data.length,
      next_offset: null,
      total_bytes: log.join("").length,
      type: "file_content",
      meta: { kind: "file_content", path: join(root, "file") },
      total_lines: 3000,
      first_line: first,
      last_line: last,
    });
  });

  test("what an answer does not hold is told with the lines to ask for next; following them gives all", async ({
    root,
    ops,
  }) => {
    const handle = await handleOf(ops, root, log.join(""));
    let [data, calls] = ["", 0];
    for (let lines: string | undefined = "1-3000"; lines !== undefined; calls += 1) {
      const part: LinuxToolResult<typeof name> = await ops.call(name, { handle, lines });
      expect(countTokens(part.data)).toBeLessThan(6500);
      data += part.data;
      lines = part.next_lines;
    }
    expect([data === log.join(""), calls > 1]).toEqual([true, true]);
  });

  test("those that match come with their numbers, in a part of the text as well", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, log.join("").replaceAll("\n", "\r\n"));
    const matching = async (args: object): Promise<unknown[]> => {
      const { data, hits, next_offset } = await ops.call(name, { handle, ...args });
      return [data, hits, next_offset];
    };
    expect(await matching({ match: "error: \\w+$" })).toEqual([
      "500: line 500 ERROR: disk\n1500: line 1500 ERROR: disk\n2500: line 2500 ERROR: disk\n",
      3,
      null,
    ]);
    expect(await matching({ match: "error", lines: "501-2000" })).toEqual(["1500: line 1500 ERROR: disk\n", 1, null]);
    expect(await matching({ match: "none" })).toEqual(["", 0, null]);
    const many = await ops.call(name, { handle, match: "line" });
    expect([many.hits, (many.shown_hits ?? 0) < 3000]).toEqual([3000, true]);
    const next = await ops.call(name, { handle, match: "line", lines: many.next_lines ?? "" });
    expect(next.data).toMatch(new RegExp(`^${(many.shown_hits ?? 0) + 1}: line ${(many.shown_hits ?? 0) + 1}\\n`));
  });

  test("a hostile pattern ends, a broken one is searched as text or refused", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, `${"a".repeat(5000)}!\ncall(foo\nb\n`);
    expect((await ops.call(name, { handle, match: "(a+)+$" })).hits).toBe(0);
    expect(await ops.call(name, { handle, match: "call(" })).toMatchObject({
      data: "2: call(foo\n",
      note: "Not a valid regular expression (unclosed group); searched as plain text.",
    });
    await expect(ops.call(name, { handle, match: "(x" })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("a long line is cut, and says how much", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, `${"x".repeat(9000)}\n${"é".repeat(4000)}needle\nb\n`);
    expect((await ops.call(name, { handle, lines: "1" })).data).toBe(`${"x".repeat(2000)}…[+7000 chars]\n`);
    expect((await ops.call(name, { handle, match: "needle" })).data).toMatch(/^2: …é+needle\n$/);
  });

  test("a list has an entry a line", async ({ root, ops }) => {
    for (let nth = 0; nth < 9; nth += 1) await writeFile(join(root, `f${nth}`), "");
    const { handle } = await ops.call("linux.fs_list", { path: root, max_entries: 1 });
    const { data, total_lines } = await ops.call(name, { handle: handle ?? "", match: "/f3" });
    expect([JSON.parse(data.replace(/^\d+: |,\n$/g, "")), total_lines]).toMatchObject([{ path: join(root, "f3") }, 9]);
  });

  test.for([
    [{ lines: "0-3" }, /lines is "0-3"/],
    [{ lines: "5-3" }, /lines is "5-3"/],
    [{ lines: "x" }, /lines is "x"/],
    [{ lines: "400-" }, /there are 300 lines/],
    [{ lines: "1", offset: 5 }, /offset counts bytes and does not go with lines/],
    [{ match: "1", limit: 5 }, /limit counts bytes and does not go with match/],
  ] as const)("%j is refused with what would be right", async ([args, message], { root, ops }) => {
    const handle = await handleOf(ops, root, numbered(300));
    await expect(ops.call(name, { handle, ...args })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message) as string,
    });
    // Clients fill in defaults without meaning them.
    expect((await ops.call(name, { handle, lines: "1", offset: 0, limit: 16_384 })).data).toBe("1\n");
  });

  test("any range of any text gives its lines", async ({ root, ops }) => {
    const text = fc.array(fc.stringMatching(/^[aé\t]{0,5}$/), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.nat(25), fc.nat(25), async (lines, isEnded, a, b) => {
        // Three more lines make the text long enough for a handle.
        const all = [...lines, ...Array.from({ length: 3 }, () => "end")];
        const handle = await handleOf(ops, root, all.join("\n") + (isEnded ? "\n" : ""));
        const [from, to] = [Math.min(a % all.length, b % all.length) + 1, Math.max(a % all.length, b % all.length) + 1];
        const { data, total_lines } = await ops.call(name, { handle, lines: `${from}-${to}` });
        expect([data, total_lines]).toEqual([
          all
            .slice(from - 1, to)
            .map((line, at) => (from + at < all.length || isEnded ? `${line}\n` : line))
            .join(""),
          all.length,
        ]);
      }),
      { numRuns: 40 },
    );
  });
});

test("the text form has one header line", async ({ root }) => {
  await expect(textOf(root, name, { handle: "H_x" })).rejects.toMatchObject({ code: "HANDLE_NOT_FOUND" });
  const settings = settingsOf({ roots: [root] });
  const services = openServices({ settings, version: VERSION, log: null });
  const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
  const call = async (tool: string, args: object) =>
    await services.dispatcher.call(tool, args, { session, entry: "library" });
  await writeFile(join(root, "file"), numbered(5000));
  const { payload } = await call("linux.fs_read", { path: join(root, "file"), max_lines: 1 });
  const handle = String(payload["handle"]);
  const head = async (args: object): Promise<string> => {
    const [first = ""] = (await call(name, { handle, ...args })).text().split("\n");
    return first.replace(/^\[\S+ · /, "[");
  };
  expect(await head({ offset: 10, limit: 20 })).toBe("[bytes 10-30 of 23893 · next: offset=30]");
  expect(await head({ lines: "10-20" })).toBe("[lines 10-20 of 5,000 lines]");
  expect(await head({ lines: "1-" })).toMatch(/^\[lines 1-(\d+) of 5,000 lines · [\d,]+ more: lines="\d+-5000"\]$/);
  expect(await head({ match: "^77$" })).toBe("[1 hit in 5,000 lines]");
  expect(await head({ match: "^77$", lines: "1-50" })).toBe("[no hits in lines 1-50 of 5,000 lines]");
  expect(await head({ match: "7" })).toMatch(/^\[\d+ of 1,355 hits in 5,000 lines · \d+ more: lines="\d+-5000"\]$/);
  await services.close();
});

const REPORT = [
  "collected 3 items",
  "__________ test_one __________",
  "E  AssertionError: one",
  "a_test.py:4: AssertionError",
  "__________ test_two __________",
  "E  AssertionError: two",
  "b_test.py:9: AssertionError",
  "2 failed",
  "",
].join("\n");
const DIFF = [
  "diff --git a/x.ts b/x.ts",
  "@@ -1 +1 @@",
  "-1",
  "+2",
  "diff --git a/y.ts b/y.ts",
  "@@ -3 +3 @@",
  "-3",
  "+4",
  "",
].join("\n");

describe("parts of a command's output", () => {
  test("lines around a match, each with its number", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, REPORT);
    expect((await ops.call(name, { handle, match: "two", around: 1 })).data).toBe(
      "4- a_test.py:4: AssertionError\n5: __________ test_two __________\n6- E  AssertionError: two\n--\n" +
        "5- __________ test_two __________\n6: E  AssertionError: two\n7- b_test.py:9: AssertionError\n",
    );
  });

  test("the lines about a failing test, by its name or its id", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, REPORT);
    for (const id of ["test_one", "a_test.py::test_one"])
      expect(await ops.call(name, { handle, test: id })).toMatchObject({
        data: REPORT.split("\n").slice(1, 4).join("\n") + "\n",
        first_line: 2,
        last_line: 4,
      });
  });

  test("the part of a diff about a file, or the lines that name it", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, DIFF);
    expect((await ops.call(name, { handle, file: "y.ts" })).data).toBe(DIFF.split("\n").slice(4).join("\n"));
    const report = await handleOf(ops, root, REPORT);
    expect((await ops.call(name, { handle: report, file: "b_test.py" })).data).toBe("b_test.py:9: AssertionError\n");
  });

  test("a name that does not occur is an error with the next step", async ({ root, ops }) => {
    const handle = await handleOf(ops, root, REPORT);
    await expect(ops.call(name, { handle, test: "test_nine" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: "Find it with match.",
    });
  });
});
