import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { Scaler } from "@llmc/documents";
import { test, textOf } from "../../helpers.js";
import { callWith } from "./reading/call-with.js";
import { gif, jpeg, png, pngOf, webp } from "../../../../documents/test/compose-image.js";

const name = "linux.fs_read";
const MOST = 700 * 1024;
/** What Claude Desktop takes of one result. */
const DESKTOP = 1_048_576;
const nothing = { scaler: async () => null };

describe("an image", () => {
  test.for([
    ["PNG", "image/png", png(64, 48)],
    ["JPEG", "image/jpeg", jpeg(64, 48)],
    ["GIF", "image/gif", gif(64, 48)],
    ["WebP", "image/webp", webp(64, 48)],
  ] as const)(
    "%s is shown as it is, whatever the file is called",
    async ([format, mime_type, bytes], { root, ops }) => {
      const path = join(root, "notes.txt");
      await writeFile(path, bytes);
      expect(await ops.call(name, { path })).toEqual({
        content: `${format} image, 64 x 48 pixels, ${bytes.length} bytes`,
        handle: null,
        meta: { path, total_lines: 0, truncated: false, total_bytes: bytes.length },
        image: { mime_type, data: bytes.toString("base64"), width: 64, height: 48 },
      });
    },
  );

  test("is a line of text and media; its bytes are in the media alone", async ({ root }) => {
    const bytes = png(64, 48);
    await writeFile(join(root, "a.png"), bytes);
    const { payload, text, parted } = await callWith(root, { path: "a.png" });
    const data = bytes.toString("base64");
    const { image, ...rest } = payload;
    expect(text()).toBe(`[a.png · PNG image, 64 x 48 pixels, ${bytes.length} bytes]`);
    expect(parted()).toEqual({
      media: [{ type: "image", mimeType: "image/png", data }],
      rest: { ...rest, image: { mime_type: "image/png", width: 64, height: 48 } },
    });
    expect(image).toHaveProperty("data", data);
  });

  test("has no lines and no pages: an argument that asks for some is refused, a bound on them is not", async ({
    root,
    ops,
  }) => {
    await writeFile(join(root, "a.png"), png(8, 8));
    for (const args of [{ offset_lines: 3 }, { tail_lines: 3 }, { pages: "1" }] as const) {
      await expect(ops.call(name, { path: "a.png", ...args })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining(`${Object.keys(args)[0]} does not go with ${root}/a.png`),
        hint: `Leave out ${Object.keys(args)[0]}.`,
      });
    }
    expect((await ops.call(name, { path: "a.png", offset_lines: 0, max_lines: 20 })).image).toBeDefined();
  });

  test("still gives its bytes as base64", async ({ root, ops }) => {
    await writeFile(join(root, "a.png"), png(8, 8));
    const { content, image } = await ops.call(name, { path: "a.png", encoding: "base64" });
    expect([content, image]).toEqual([png(8, 8).toString("base64"), undefined]);
  });

  test.for([
    ["PNG", png(64, 48)],
    ["JPEG", jpeg(64, 48)],
    ["GIF", gif(64, 48)],
    ["WebP", webp(64, 48)],
  ] as const)(
    "%s that is cut off is refused: a model's API would refuse all that follows",
    async ([format, bytes], { root, ops }) => {
      await writeFile(join(root, "cut"), bytes.subarray(0, -3));
      await expect(ops.call(name, { path: "cut" })).rejects.toMatchObject({
        code: "UNSUPPORTED_CONTENT",
        message: `${root}/cut is binary (${format} image, broken or cut off, ${bytes.length - 3} bytes)`,
        hint: "See what it is with run_cmd: file, or od -c.",
      });
    },
  );

  test.for(["GIF89a is how a picture begins\n", "RIFF1234WEBP and more\n"])(
    "is not what %j is",
    async (text, { root, ops }) => {
      await writeFile(join(root, "essay"), text);
      expect(await ops.call(name, { path: "essay" })).toEqual({
        content: text,
        handle: null,
        meta: { path: `${root}/essay`, total_lines: 1, truncated: false },
      });
    },
  );
});

describe("an image that is too large", () => {
  const hint =
    "The operator can install the npm package sharp, which scales it; or make it at most 2000 pixels a side and 700 KiB.";

  test.for([
    ["too wide", png(2001, 10), "PNG image, 2001 x 10 pixels"],
    ["too high", png(10, 2001), "PNG image, 10 x 2001 pixels"],
    ["too many bytes", pngOf(MOST + 1), "PNG image, 10 x 10 pixels"],
    [
      "more pixels than anything could decode",
      png(2 ** 31 - 1, 2 ** 31 - 1),
      "PNG image, 2147483647 x 2147483647 pixels",
    ],
  ] as const)("%s is refused with type, dimensions, size and a way to it", async ([, bytes, what], { root }) => {
    await writeFile(join(root, "a.png"), bytes);
    const call = callWith(root, { path: "a.png" }, { readers: nothing });
    await expect(call).rejects.toMatchObject({
      code: "OUTPUT_TOO_LARGE",
      message: `${root}/a.png is too large to be shown (${what}, ${bytes.length} bytes)`,
      hint,
    });
    // The bytes remain available as base64.
    const { payload } = await callWith(root, { path: "a.png", encoding: "base64", max_bytes: 1_000_000 });
    expect(payload["content"]).toBe(bytes.toString("base64"));
  });

  test("is one whose size stands behind more than is read of it", async ({ root }) => {
    const profile = Array.from({ length: 20 }, () => [0xe2, Buffer.alloc(60_000)] as const);
    const bytes = jpeg(64, 48, { before: profile });
    await writeFile(join(root, "a.jpg"), bytes);
    await expect(callWith(root, { path: "a.jpg" }, { readers: nothing })).rejects.toMatchObject({
      message: `${root}/a.jpg is too large to be shown (JPEG image, ${bytes.length} bytes)`,
    });
  });

  test.for([
    ["2,000 pixels a side", png(2000, 2000)],
    ["700 KiB", pngOf(MOST)],
  ] as const)("is none of %s, which Claude Desktop takes beside a full page of text", async ([, bytes], { root }) => {
    await writeFile(join(root, "a.png"), bytes);
    await writeFile(join(root, "b.txt"), "word\n".repeat(10_000));
    const { text, parted } = await callWith(root, { paths: ["a.png", "b.txt"] });
    const content = [{ type: "text", text: text() }, ...(parted()?.media ?? [])];
    expect(content).toHaveLength(2);
    expect(JSON.stringify({ content, structuredContent: parted()?.rest }).length).toBeLessThan(DESKTOP);
  });
});

describe("where something can scale", () => {
  const asked: [number, object][] = [];
  const small = webp(1500, 700);
  const scaler: Scaler = {
    version: "fake",
    async scale(image, { edge, bytes, timeoutMs }) {
      let size = 0;
      for await (const piece of image) size += piece.length;
      asked.push([size, { edge, bytes, timeoutMs }]);
      return { data: small, mimeType: "image/webp", width: 1500, height: 700 };
    },
  };
  const readers = { scaler: async () => scaler };

  test("a large image is shown smaller, and says so", async ({ root }) => {
    const bytes = pngOf(900_000, 3000, 1400);
    const path = join(root, "a.png");
    await writeFile(path, bytes);
    asked.length = 0;
    expect((await callWith(root, { path }, { readers })).payload).toEqual({
      content: `PNG image, 3000 x 1400 pixels, ${bytes.length} bytes, scaled to 1500 x 700`,
      handle: null,
      meta: { path, total_lines: 0, truncated: false, total_bytes: bytes.length },
      image: { mime_type: "image/webp", data: small.toString("base64"), width: 1500, height: 700 },
    });
    expect(asked).toEqual([[bytes.length, { edge: 1568, bytes: MOST, timeoutMs: 7000 }]]);
  });

  test("images wait for their turn, and several share the budget as they are shown", async ({ root }) => {
    await writeFile(join(root, "a.png"), png(3000, 1400));
    let turns = 0;
    const counting = { ...readers, turns: { take: <T>(work: () => Promise<T>) => ((turns += 1), work()) } };
    const { payload } = await callWith(root, { paths: Array(4).fill("a.png") }, { readers: counting });
    const files = payload["files"] as { error?: object }[];
    // Each 1,350 of 5,000 tokens.
    expect(files.map(({ error }) => error)).toEqual([
      undefined,
      undefined,
      undefined,
      expect.objectContaining({ code: "OUTPUT_TOO_LARGE", hint: "Read it in a call of its own." }),
    ]);
    expect(turns).toBe(4);
  });

  test("one that fits is left as it is", async ({ root }) => {
    await writeFile(join(root, "a.png"), png(1999, 10));
    asked.length = 0;
    expect((await callWith(root, { path: "a.png" }, { readers })).payload["image"]).toMatchObject({ width: 1999 });
    expect(asked).toEqual([]);
  });

  test("one that is larger than any photo is refused before it is read", async ({ root }) => {
    await writeFile(join(root, "a.png"), png(3000, 10));
    await truncate(join(root, "a.png"), 256 * 1024 * 1024 + 1);
    asked.length = 0;
    await expect(callWith(root, { path: "a.png" }, { readers })).rejects.toMatchObject({
      code: "OUTPUT_TOO_LARGE",
      hint: "It could not be scaled down here: make it at most 2000 pixels a side and 700 KiB.",
    });
    expect(asked).toEqual([]);
  });

  test("one that cannot be scaled is refused as if nothing were there", async ({ root }) => {
    await writeFile(join(root, "a.png"), png(3000, 10));
    const failing = { scaler: async () => ({ version: "fake", scale: async () => null }) };
    await expect(callWith(root, { path: "a.png" }, { readers: failing })).rejects.toMatchObject({
      code: "OUTPUT_TOO_LARGE",
      message: expect.stringContaining("3000 x 10 pixels"),
    });
  });
});

describe("several files with images among them", () => {
  test("come in one answer: the images in their order and numbered, each failure with its hint", async ({ root }) => {
    const [one, two] = [png(64, 48), gif(32, 16)];
    await writeFile(join(root, "one"), one);
    await writeFile(join(root, "text"), "T\n");
    await writeFile(join(root, "broken"), one.subarray(0, 40));
    await writeFile(join(root, "two"), two);
    const { payload, text, parted } = await callWith(root, { paths: ["one", "text", "broken", "two"] });
    expect(text()).toBe(
      [
        `[one · PNG image, 64 x 48 pixels, ${one.length} bytes · image 1]`,
        `[text · 1 line]\nT\n`,
        `[broken · UNSUPPORTED_CONTENT: ${root}/broken is binary (PNG image, broken or cut off, 40 bytes)]\nHint: See what it is with run_cmd: file, or od -c.`,
        `[two · GIF image, 32 x 16 pixels, ${two.length} bytes · image 2]`,
      ].join("\n"),
    );
    expect(parted()?.media).toEqual([
      { type: "image", mimeType: "image/png", data: one.toString("base64") },
      { type: "image", mimeType: "image/gif", data: two.toString("base64") },
    ]);
    expect(JSON.stringify(parted()?.rest)).not.toContain(one.toString("base64"));
    expect((payload["files"] as { path: string; image?: object }[]).map(({ path, image }) => [path, image])).toEqual([
      [`${root}/one`, { mime_type: "image/png", data: one.toString("base64"), width: 64, height: 48 }],
      [`${root}/text`, undefined],
      ["broken", undefined],
      [`${root}/two`, { mime_type: "image/gif", data: two.toString("base64"), width: 32, height: 16 }],
    ]);
  });

  test("share one budget of tokens: what does not fit says to be read alone, and then is shown", async ({ root }) => {
    const paths = ["a", "b", "c", "d"];
    for (const path of paths) await writeFile(join(root, path), png(1600, 1200));
    const { payload, parted } = await callWith(root, { paths });
    const files = payload["files"] as { image?: object; error?: { code: string; message: string; hint: string } }[];
    expect(files.map(({ image, error }) => (image === undefined ? error?.code : "shown"))).toEqual([
      "shown",
      "shown",
      "shown",
      "OUTPUT_TOO_LARGE",
    ]);
    expect(files[3]?.error).toMatchObject({
      message: expect.stringMatching(
        /d does not fit beside the other files \(PNG image, 1600 x 1200 pixels, \d+ bytes\)/,
      ),
      hint: "Read it in a call of its own.",
    });
    expect(parted()?.media).toHaveLength(3);
    expect((await callWith(root, { path: "d" })).payload["image"]).toBeDefined();
  });

  test("cost by their size: fifty icons fit into one answer", async ({ root }) => {
    await writeFile(join(root, "icon"), png(16, 16));
    const { parted } = await callWith(root, { paths: Array(50).fill("icon") });
    expect(parted()?.media).toHaveLength(50);
  });

  test("do not hide a fault of ours in one file's entry", async ({ root }) => {
    await writeFile(join(root, "a"), png(3000, 10));
    const scaler = () => Promise.reject(new Error("ours"));
    await expect(callWith(root, { paths: ["a"] }, { readers: { scaler } })).rejects.toMatchObject({ code: "INTERNAL" });
  });

  test("share one budget of bytes, also where the caller asks for more lines", async ({ root }) => {
    for (const path of ["a", "b", "c"]) await writeFile(join(root, path), pngOf(300_000));
    const { payload } = await callWith(root, { paths: ["a", "b", "c"], max_lines: 2000 });
    const files = payload["files"] as { image?: object }[];
    expect(files.map(({ image }) => image !== undefined)).toEqual([true, true, false]);
  });

  test("leave what an image costs out of the text", async ({ root }) => {
    await writeFile(join(root, "image"), png(1600, 1200));
    await writeFile(join(root, "text"), "a-b\n".repeat(200));
    const long = await textOf(root, name, { paths: ["text", "text", "text", "text", "text"] });
    const beside = await textOf(root, name, { paths: ["image", "image", "image", "text", "text"] });
    expect(beside.split("a-b").length).toBeLessThan(long.split("a-b").length / 2);
  });
});
