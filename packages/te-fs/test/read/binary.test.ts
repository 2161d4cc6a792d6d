import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { describeBinary } from "../../src/index.js";

test.for([
  ["PNG image", "\x89PNG\r\n\x1a\n\0\0"],
  ["JPEG image", "\xff\xd8\xff\xe0\0"],
  ["GIF image", "GIF89a\0"],
  ["WebP image", "RIFF\0\0\0\0WEBPVP8 "],
  ["PDF document", "%PDF-1.7\n\0"],
  ["SQLite database", "SQLite format 3\0"],
  ["zip archive or document (docx, xlsx, jar …)", "PK\x03\x04\0"],
  ["HEIC or AVIF image, or MP4 video", "\0\0\0\x20ftypisom"],
  ["WebAssembly module", "\0asm\x01\0\0\0"],
  ["tar archive", `${"f".padEnd(257, "\0")}ustar\0`],
  ["perhaps UTF-16 text without a byte order mark", "h\0e\0l\0l\0o\0"],
  ["perhaps UTF-16 text without a byte order mark", "\0h\0e\0l\0l\0o"],
  ["nothing but NUL bytes", "\0\0\0\0"],
  ["unknown binary data", "abc\0def\0\0"],
] as const)("%s", ([what, head]) => {
  expect(describeBinary(Buffer.from(head, "latin1"))).toBe(what);
});

test("real files are told apart by their first bytes", () => {
  expect([describeBinary(readFileSync(process.execPath).subarray(0, 8192)), describeBinary(gzipSync("x"))]).toEqual([
    "ELF executable or library",
    "gzip archive",
  ]);
});
