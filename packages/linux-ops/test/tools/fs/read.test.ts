import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { chmod, mkdir, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { createLinuxOps, type LinuxToolResult } from "../../../src/index.js";
import { numbered, opsWith, test, textOf } from "../../helpers.js";

const name = "linux.fs_read";

/** Until the file's times are old enough to prove that it is unchanged: a clock cannot be set back on a real file. */
async function settled(path: string): Promise<void> {
  const { ctimeMs } = await stat(path);
  while (Date.now() < ctimeMs + 2100) await new Promise((resolve) => setTimeout(resolve, 100));
}

describe("seed 001 4.1: slices", () => {
  test("a small file comes whole, without a handle", async ({ root, ops }) => {
    const path = join(root, "a.txt");
    await writeFile(path, "one\ntwo\n");
    expect(await ops.call(name, { path })).toEqual({
      content: "one\ntwo\n",
      handle: null,
      meta: { path, total_lines: 2, truncated: false },
    });
  });

  test("200 lines are the default, the rest is behind a handle that has the whole file", async ({ root, ops }) => {
    const path = join(root, "long.txt");
    await writeFile(path, numbered(300));
    const { content, handle, meta } = await ops.call(name, { path });
    expect(content).toBe(numbered(200));
    expect(meta).toEqual({
      path,
      total_lines: 300,
      truncated: true,
      first_line: 1,
      returned_lines: 200,
      next_offset_lines: 200,
    });
    expect(handle).toMatch(/^H_file_content_\d{8}T\d{6}Z_[a-z2-7]{20}$/);
    expect((await ops.call("linux.handle_read", { handle: handle ?? "" })).data).toBe(numbered(300));
  });

  test("offset_lines and max_lines choose the lines; a slice that reaches the end is not truncated", async ({
    root,
    ops,
  }) => {
    const path = join(root, "a.txt");
    await writeFile(path, numbered(5));
    expect(await ops.call(name, { path, offset_lines: 3, max_lines: 2 })).toEqual({
      content: "4\n5\n",
      handle: null,
      meta: { path, total_lines: 5, truncated: false, first_line: 4, returned_lines: 2 },
    });
  });

  test("an offset beyond the end gives no lines and the true total", async ({ root, ops }) => {
    const path = join(root, "a.txt");
    await writeFile(path, numbered(5));
    const { content, meta } = await ops.call(name, { path, offset_lines: 9 });
    expect([content, meta.total_lines, meta.truncated]).toEqual(["", 5, false]);
  });

  test("invalid bytes become U+FFFD", async ({ root, ops }) => {
    const path = join(root, "a.txt");
    await writeFile(path, Buffer.from([0x61, 0xff, 0x62, 0x0a]));
    expect((await ops.call(name, { path })).content).toBe("a\ufffdb\n");
  });

  test.for([
    [{ offset_lines: -1 }, "offset_lines"],
    [{ max_lines: 0 }, "max_lines"],
    [{ max_lines: 2001 }, "max_lines"],
    [{ limit: 5 }, "limit"],
    [{ path: 7 }, "path"],
  ] as const)("%j is INVALID_ARGUMENT and names the field", async ([args, field], { root, ops }) => {
    const call = ops.call(name, { path: join(root, "a"), ...args } as never);
    await expect(call).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(field) });
  });
});

describe("seed 001 4.1.5: errors", () => {
  test.for([
    ["outside every root", () => "/etc/passwd", "INVALID_PATH"],
    ["outside and missing: the same answer", () => "/etc/no-such-file", "INVALID_PATH"],
    ["a link that leads out", (root: string) => join(root, "out"), "INVALID_PATH"],
    ["a FIFO, without waiting for its writer", (root: string) => join(root, "fifo"), "INVALID_PATH"],
    ["a name with NUL", (root: string) => join(root, "a\0b"), "INVALID_PATH"],
    ["missing", (root: string) => join(root, "gone"), "NOT_FOUND"],
    ["a folder", (root: string) => join(root, "dir"), "IS_DIRECTORY"],
    ["a file used as a folder", (root: string) => join(root, "file", "x"), "NOT_A_DIRECTORY"],
  ] as const)("%s", async ([, pathIn, code], { root, ops }) => {
    await symlink("/etc/passwd", join(root, "out"));
    await mkdir(join(root, "dir"));
    await writeFile(join(root, "file"), "x");
    execFileSync("mkfifo", [join(root, "fifo")]);
    await expect(ops.call(name, { path: pathIn(root) })).rejects.toMatchObject({ code });
  });

  test("the answer for outside does not depend on what is there", async ({ ops }) => {
    const [there, missing] = await Promise.all(
      ["/etc/passwd", "/etc/passwe"].map((path) =>
        ops.call(name, { path }).then(
          () => "read",
          (error: Error) => error.message,
        ),
      ),
    );
    expect(missing).toBe(there?.replace("passwd", "passwe"));
  });

  test.skipIf(process.getuid?.() === 0)("a file without permission is PERMISSION_DENIED", async ({ root, ops }) => {
    await writeFile(join(root, "secret"), "x");
    await chmod(join(root, "secret"), 0);
    await expect(ops.call(name, { path: join(root, "secret") })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("without roots every path is refused and the hint says how to add one", async () => {
    const ops = createLinuxOps();
    await expect(ops.call(name, { path: "/tmp/x" })).rejects.toMatchObject({
      code: "INVALID_PATH",
      hint: expect.stringContaining("--root"),
    });
    await ops.close();
  });
});

describe("contracts section 4: fs_read", () => {
  test.for([
    ["a\nb\n", 2],
    ["a\nb", 2],
    ["", 0],
    ["\n", 1],
    ["a\rb\u2028c\vd\fe", 1],
  ] as const)("%j has %i lines", async ([text, lines], { root, ops }) => {
    const path = join(root, "a.txt");
    await writeFile(path, text);
    const { content, meta } = await ops.call(name, { path });
    expect([content, meta.total_lines]).toEqual([text, lines]);
  });

  test("a byte order mark and CRLF are kept", async ({ root, ops }) => {
    const path = join(root, "a.txt");
    await writeFile(path, "\ufeffa\r\nb\r\n");
    expect((await ops.call(name, { path })).content).toBe("\ufeffa\r\nb\r\n");
  });

  test("slices in a row make up the file", async ({ root, ops }) => {
    const path = join(root, "a.txt");
    const text = `${numbered(40)}last without newline`;
    await writeFile(path, text);
    let read = "";
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { content, meta }: LinuxToolResult<typeof name> = await ops.call(name, {
        path,
        offset_lines: offset,
        max_lines: 7,
      });
      read += content;
      offset = meta.next_offset_lines;
    }
    expect(read).toBe(text);
  });

  test("the answer budget ends the content at a line boundary and says where to read on", async ({ root, ops }) => {
    const path = join(root, "wide.txt");
    await writeFile(path, `${"x".repeat(999)}\n`.repeat(100));
    const { content, handle, meta } = await ops.call(name, { path });
    expect(meta).toEqual({
      path,
      total_lines: 100,
      truncated: true,
      first_line: 1,
      returned_lines: 20,
      next_offset_lines: 20,
    });
    expect([content.length, handle === null]).toEqual([20_000, false]);
    const small = await ops.call(name, { path, max_lines: 100 });
    expect([small.content.length, small.meta.truncated]).toEqual([20_000, true]);
    const large = await ops.call(name, { path, max_lines: 201 });
    expect([large.content.length, large.meta.truncated]).toEqual([100_000, false]);
  });

  test("a very long line is cut with a count, named, and whole behind the handle", async ({ root, ops }) => {
    const path = join(root, "min.js");
    await writeFile(path, `short\n${"y".repeat(5000)}\nend\n`);
    const { content, handle, meta } = await ops.call(name, { path });
    expect(content).toBe(`short\n${"y".repeat(2000)}…[+3000 chars]\nend\n`);
    expect(meta.cut_lines).toEqual([{ line: 2, chars: 5000 }]);
    const all = await ops.call("linux.handle_read", { handle: handle ?? "", limit: 10_000 });
    expect(all.data).toBe(`short\n${"y".repeat(5000)}\nend\n`);
  });

  test("tail_lines gives the last lines", async ({ root, ops }) => {
    const path = join(root, "log");
    await writeFile(path, numbered(500));
    const { content, meta, handle } = await ops.call(name, { path, tail_lines: 2 });
    expect([content, meta.first_line, meta.total_lines, meta.truncated, handle === null]).toEqual([
      "499\n500\n",
      499,
      500,
      true,
      false,
    ]);
  });

  test("tail_lines with offset_lines is refused", async ({ root, ops }) => {
    const call = ops.call(name, { path: join(root, "a"), tail_lines: 1, offset_lines: 1 });
    await expect(call).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("path#L2-L3 and path#L4 are lines, unless a file of that name exists", async ({ root, ops }) => {
    const path = join(root, "a.txt");
    await writeFile(path, numbered(6));
    expect((await ops.call(name, { path: `${path}#L2-L3` })).content).toBe("2\n3\n");
    expect((await ops.call(name, { path: `${path}#L5` })).content).toBe("5\n6\n");
    await writeFile(`${path}#L5`, "itself\n");
    expect((await ops.call(name, { path: `${path}#L5` })).content).toBe("itself\n");
  });

  test("a file above the handle limit is still read by slices, and says there is no handle", async ({ root }) => {
    const ops = opsWith(root, { handles: { max_payload_bytes: 1024 } });
    const path = join(root, "big");
    await writeFile(path, numbered(1000));
    const { content, handle, meta } = await ops.call(name, { path, offset_lines: 500, max_lines: 2 });
    expect([content, handle, meta.truncated]).toEqual(["501\n502\n", null, true]);
    await ops.close();
    expect(await textOf(root, name, { path, max_lines: 1 }, { handles: { max_payload_bytes: 1024 } })).toBe(
      `[${path} · line 1 of 1000 lines · next: offset_lines=1 · too large for a handle]\n1\n`,
    );
  });

  test("UTF-16 with a byte order mark is decoded", async ({ root, ops }) => {
    const path = join(root, "u16");
    await writeFile(path, Buffer.from("\ufeffä\nb\n", "utf16le"));
    const { content, meta } = await ops.call(name, { path });
    expect([content.replace("\ufeff", ""), meta.encoding, meta.total_lines]).toEqual(["ä\nb\n", "utf-16le", 2]);
  });

  test("a binary file is refused with what it is, and base64 has its bytes", async ({ root, ops }) => {
    const path = join(root, "logo.png");
    const bytes = Buffer.concat([Buffer.from("89504e470d0a1a0a0000", "hex"), randomBytes(40_000)]);
    await writeFile(path, bytes);
    await expect(ops.call(name, { path })).rejects.toMatchObject({
      code: "UNSUPPORTED_CONTENT",
      message: expect.stringMatching(/PNG.*40010 bytes/),
      hint: "See what it is with run_cmd: file, or od -c.",
    });
    const parts: Buffer[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const { content, meta }: LinuxToolResult<typeof name> = await ops.call(name, {
        path,
        encoding: "base64",
        offset_bytes: offset,
      });
      parts.push(Buffer.from(content, "base64"));
      offset = meta.next_offset_bytes ?? null;
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  test("line arguments do not go with base64, nor byte arguments without", async ({ root, ops }) => {
    const path = join(root, "a");
    for (const args of [{ encoding: "base64", max_lines: 3 }, { offset_bytes: 3 }] as const) {
      await expect(ops.call(name, { path, ...args })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  test("several files come in one answer; one that cannot be read does not spoil the others", async ({ root, ops }) => {
    await writeFile(join(root, "a"), "A\n");
    await writeFile(join(root, "c"), "C\n");
    const paths = ["a", "b", "c"].map((file) => join(root, file));
    const result = await ops.call(name, { paths });
    expect(result).toEqual({
      content: `[${paths[0]} · 1 line]\nA\n\n[${paths[1]} · NOT_FOUND: ${paths[1]} does not exist]\nHint: List ${root} to see what is there.\n[${paths[2]} · 1 line]\nC\n`,
      handle: null,
      meta: { path: paths.join(", "), total_lines: 2, truncated: false },
      files: [
        { path: paths[0], content: "A\n", handle: null, meta: { path: paths[0], total_lines: 1, truncated: false } },
        {
          path: paths[1],
          handle: null,
          error: {
            code: "NOT_FOUND",
            message: `${paths[1]} does not exist`,
            hint: `List ${root} to see what is there.`,
          },
        },
        { path: paths[2], content: "C\n", handle: null, meta: { path: paths[2], total_lines: 1, truncated: false } },
      ],
    });
  });

  test("exactly one of path and paths is needed", async ({ root, ops }) => {
    for (const args of [{}, { path: join(root, "a"), paths: [join(root, "a")] }]) {
      await expect(ops.call(name, args)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  test("a relative path starts at the first root, and ~ is the home", async ({ root, ops }) => {
    await writeFile(join(root, "a.txt"), "here\n");
    expect((await ops.call(name, { path: "a.txt" })).meta.path).toBe(join(root, "a.txt"));
    expect((await ops.call(name, { path: "x/../a.txt" })).meta.path).toBe(join(root, "a.txt"));
    await expect(ops.call(name, { path: "~/x" })).rejects.toMatchObject({ code: "INVALID_PATH" });
  });

  test("/proc, /sys and /dev are shut even under a root of /", async () => {
    const ops = createLinuxOps({ roots: ["/"] });
    for (const path of ["/proc/self/environ", "/proc/1/cmdline", "/sys/kernel/hostname", "/dev/zero"]) {
      await expect(ops.call(name, { path })).rejects.toMatchObject({ code: "INVALID_PATH" });
    }
    await ops.close();
  });

  test("our own state is shut whatever the roots say", async ({ root }) => {
    const dataDir = join(root, "state");
    const ops = createLinuxOps({ roots: [root], dataDir });
    await writeFile(join(root, "long"), numbered(300));
    await ops.call(name, { path: join(root, "long") });
    await expect(ops.call(name, { path: join(dataDir, "linuxops.db") })).rejects.toMatchObject({
      code: "INVALID_PATH",
    });
    await ops.close();
  });

  test("the same unchanged file has one handle; a changed one gets another", async ({ root, ops }) => {
    const path = join(root, "a");
    await writeFile(path, numbered(300));
    await settled(path);
    const read = async () => (await ops.call(name, { path })).handle;
    const first = await read();
    expect(await read()).toBe(first);
    await writeFile(path, numbered(301));
    await utimes(path, 1, 1);
    expect(await read()).not.toBe(first);
  });

  test("a file that grows while it is read says so", async ({ root, ops }) => {
    const path = join(root, "log");
    await writeFile(path, "line\n".repeat(2_000_000));
    let growing = setImmediate(function grow() {
      appendFileSync(path, "more\n");
      growing = setImmediate(grow);
    });
    const { meta } = await ops.call(name, { path, max_lines: 1 });
    clearImmediate(growing);
    expect(meta.changed_while_read).toBe(true);
    expect((await ops.call(name, { path, max_lines: 1 })).meta).not.toHaveProperty("changed_while_read");
  });

  test("a sparse file of 1 GB is sliced without holding it", async ({ root }) => {
    const ops = opsWith(root, { tools: { read_timeout: 60 } });
    const path = join(root, "sparse");
    await writeFile(path, numbered(9000));
    await truncate(path, 1024 ** 3);
    const before = process.memoryUsage().rss;
    const { content, meta } = await ops.call(name, { path, max_lines: 2 });
    expect([content, meta.total_lines]).toEqual(["1\n2\n", 9001]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2);
    await ops.close();
  });
});

describe("what the model reads", () => {
  test("one header line and the text; a newline in a name stays in the header", async ({ root }) => {
    const path = join(root, "a\nb");
    await writeFile(path, "x\n");
    expect(await textOf(root, name, { path })).toBe(`[${path.replace("\n", "\\n")} · 1 line]\nx\n`);
  });

  test.for([
    ["a\r\nb\r\n", "CRLF"],
    ["a\r\nb\n", "CRLF and LF"],
  ] as const)("the header of %j names its line ends, which nobody sees: %s", async ([content, ends], { root }) => {
    const path = join(root, "a.txt");
    await writeFile(path, content);
    expect(await textOf(root, name, { path })).toBe(`[${path} · 2 lines · ${ends}]\n${content}`);
  });

  test("a cut answer says what was cut and both ways to the rest", async ({ root }) => {
    const path = join(root, "a");
    await writeFile(path, numbered(300));
    expect((await textOf(root, name, { path, max_lines: 2 })).replace(/h\d{6}/, "H")).toBe(
      `[${path} · lines 1-2 of 300 lines · next: offset_lines=2 · all: H]\n1\n2\n`,
    );
  });
});
