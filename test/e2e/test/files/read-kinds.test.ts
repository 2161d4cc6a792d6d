import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { gif, png, pngOf } from "../../../../packages/documents/test/compose-image.js";
import { pdf } from "../../../../packages/documents/test/compose-pdf.js";
import { succeeds } from "../programs.js";
import { connectHttp, connectStdio, STDIO_MAIN, test, type Fixtures } from "../servers.js";

const read = (client: Client, args: Record<string, unknown>) =>
  client.callTool({ name: "linux_fs_read", arguments: args });

/** Over both transports, with the SDK's own client. */
async function eachClient(
  { http, stdio }: Pick<Fixtures, "http" | "stdio">,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) await use(client);
  await overHttp.close();
}

test("the largest image arrives as an image block, and its bytes stand nowhere else", async ({ root, http, stdio }) => {
  const bytes = pngOf(700 * 1024, 64, 48);
  const path = join(root, "shot.dat");
  writeFileSync(path, bytes);
  await eachClient({ http, stdio }, async (client) => {
    expect(await read(client, { path })).toEqual({
      content: [
        { type: "text", text: `[${path} · PNG image, 64 x 48 pixels, ${bytes.length} bytes]` },
        { type: "image", mimeType: "image/png", data: bytes.toString("base64") },
      ],
      structuredContent: {
        content: `PNG image, 64 x 48 pixels, ${bytes.length} bytes`,
        handle: null,
        meta: { path, total_lines: 0, truncated: false, total_bytes: bytes.length },
        image: { mime_type: "image/png", width: 64, height: 48 },
      },
    });
  });
});

test("several files come as one text and the images in their order", async ({ root, http, stdio }) => {
  writeFileSync(join(root, "one.png"), png(8, 8));
  writeFileSync(join(root, "two.gif"), gif(9, 9));
  writeFileSync(join(root, "text"), "T\n");
  await eachClient({ http, stdio }, async (client) => {
    const { content } = await read(client, { paths: ["one.png", "text", "two.gif", "gone"] });
    expect(content).toEqual([
      {
        type: "text",
        text: expect.stringMatching(/one\.png.*image 1\]\n.*text · 1 line\]\nT\n\n.*image 2\]\n.*NOT_FOUND/s),
      },
      { type: "image", mimeType: "image/png", data: png(8, 8).toString("base64") },
      { type: "image", mimeType: "image/gif", data: gif(9, 9).toString("base64") },
    ]);
  });
});

test("the library and POST /tool give what MCP gives in two parts", async ({ root, http, stdio, library }) => {
  writeFileSync(join(root, "one.png"), png(8, 8));
  const args = { paths: ["one.png", "one.png"] };
  const payload = await library.call("linux.fs_read", args);
  const { body } = await http.post("/tool", { session_id: "s", name: "linux.fs_read", args });
  const { content, structuredContent } = await read(stdio.client, args);
  expect(body["data"]).toEqual(payload);
  const images = (content as { type: string; data: string }[]).filter(({ type }) => type === "image");
  const { files, ...rest } = structuredContent as { files: { image: object }[] };
  const put = files.map((file, index) => ({ ...file, image: { ...file.image, data: images[index]?.data } }));
  expect({ ...rest, files: put }).toEqual(payload);
});

test("a client that shows a model structuredContent in place of the content is not sent any with an image", async ({
  root,
  home,
}) => {
  writeFileSync(join(root, "one.png"), png(8, 8));
  const { client } = await connectStdio(root, home, "claude-code");
  const result = await read(client, { path: "one.png" });
  expect(result.structuredContent).toBe(undefined);
  expect(result.content).toHaveLength(2);
  await client.close();
});

test("the text of a PDF arrives by page, out of the box, and reading on goes by lines", async ({
  root,
  http,
  stdio,
}) => {
  const path = join(root, "paper.pdf");
  writeFileSync(path, pdf([["first", "second"], [], ["third"]]));
  await eachClient({ http, stdio }, async (client) => {
    const { content, structuredContent } = await read(client, { path });
    const text = "[page 1]\nfirst\nsecond\n[page 2, no text]\n[page 3]\nthird\n";
    expect(content).toEqual([{ type: "text", text: `[${path} · PDF, pages 1-3 · 6 lines]\n${text}` }]);
    expect(structuredContent).toEqual({
      content: text,
      handle: null,
      meta: { path, total_lines: 6, truncated: false, pages: "1-3" },
    });
    const { structuredContent: part } = await read(client, { path, pages: "3" });
    expect(part).toMatchObject({ content: "[page 3]\nthird\n", meta: { pages: "3" } });
    const { structuredContent: cut } = await read(client, { path, max_lines: 2 });
    const { handle, meta } = cut as { handle: string; meta: { next_offset_lines: number } };
    const slice = await client.callTool({ name: "linux_handle_read", arguments: { handle } });
    expect([meta.next_offset_lines, slice.structuredContent]).toMatchObject([2, { data: text }]);
  });
});

const canCover = await succeeds("bwrap", ["--dev-bind", "/", "/", "true"]);
const pdftotext = ["/usr/local/bin", "/usr/bin", "/bin"].map((folder) => `${folder}/pdftotext`).filter(existsSync);
const unpdf = realpathSync(join(STDIO_MAIN, "../../node_modules/unpdf"));

test.skipIf(!canCover).for([
  ["without pdftotext the text of a PDF comes from the package", []],
  ["without either the operator is told what to install", ["--tmpfs", unpdf]],
] as const)("%s", async ([, covered], { root, home }) => {
  writeFileSync(join(root, "paper.pdf"), pdf([["first", "second"], ["third"]]));
  const programs = [...new Set(pdftotext.map((path) => realpathSync(path)))];
  const hidden = programs.flatMap((path) => ["--ro-bind", "/dev/null", path]);
  const under = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/", ...hidden, ...covered];
  const { client } = await connectStdio(root, home, "e2e", [], under);
  const { content } = await read(client, { path: "paper.pdf" });
  expect((content as { text: string }[])[0]?.text).toMatch(
    covered.length === 0
      ? /^\[\S+ · PDF, pages 1-2 · 5 lines\]\n\[page 1\]\nfirst\nsecond\n\[page 2\]\nthird\n$/
      : /^UNSUPPORTED_CONTENT: .*The operator can install the npm package unpdf, or poppler-utils/s,
  );
  await client.close();
});

test("a photo of any size arrives scaled down, out of the box", async ({ root, http, stdio }) => {
  const photo = png(6000, 4000);
  writeFileSync(join(root, "photo.png"), photo);
  await eachClient({ http, stdio }, async (client) => {
    const { content } = await read(client, { path: "photo.png" });
    const [text, image] = content as [{ text: string }, { type: string; mimeType: string; data: string }];
    expect(text.text).toBe(`[photo.png · PNG image, 6000 x 4000 pixels, ${photo.length} bytes, scaled to 1568 x 1045]`);
    expect([image.type, image.mimeType]).toEqual(["image", "image/webp"]);
    expect(Buffer.from(image.data, "base64").toString("latin1", 8, 12)).toBe("WEBP");
  });
});

test("an image that cannot be scaled is refused with what it is and what fits", async ({ root, http, stdio }) => {
  writeFileSync(join(root, "wide.png"), png(60_000, 60_000));
  await eachClient({ http, stdio }, async (client) => {
    expect(await read(client, { path: "wide.png" })).toMatchObject({
      isError: true,
      structuredContent: {
        code: "OUTPUT_TOO_LARGE",
        message: expect.stringContaining("PNG image, 60000 x 60000 pixels"),
        hint: "It could not be scaled down here: make it at most 2000 pixels a side and 700 KiB.",
      },
    });
  });
});
