import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { estimateTokens } from "../src/index.js";

const here = import.meta.dirname;
/** The same bytes at every run, without any pattern. */
const noise = (format: "hex" | "base64") =>
  Array.from({ length: 300 }, (_, index) => createHash("sha256").update(String(index)).digest(format)).join("\n");
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const TEXTS = {
  code: readFileSync(join(here, "../src/call/dispatch.ts"), "utf8"),
  prose: readFileSync(join(here, "../../../README.md"), "utf8"),
  json: readFileSync(join(here, "../package.json"), "utf8"),
  hex: noise("hex"),
  base64: noise("base64"),
  numbers: lines(2000, String),
  csv: lines(700, (index) => [index, (index * 37) % 1000, (index * 1.234567).toFixed(4), index * 99_991].join(",")),
  log: lines(200, (index) => `2026-11-18T16:00:12.345Z INFO server[1234]: GET /api/v1/users/${index} 200 ${index}ms`),
  japanese: "日本語のテキストです。これは長い文章です。".repeat(300),
  german: "Die Größe der Straße wird über den Rückgabewert geändert, wäre aber schöner.\n".repeat(100),
  russian: "Это довольно длинный русский текст для проверки оценки количества токенов.\n".repeat(100),
  capitals: "ERROR CONNECTION_REFUSED AT HOST MAIN_DB FAILED RETRY\n".repeat(200),
};

test.for(Object.entries(TEXTS))("%s: the estimate is within a third of what the tokenizer counts", ([, text]) => {
  const ratio = estimateTokens(text) / countTokens(text);
  expect(ratio).toBeGreaterThan(0.75);
  expect(ratio).toBeLessThan(1.34);
});

test("nothing costs nothing", () => {
  expect(estimateTokens("")).toBe(0);
});
