import { expect, test } from "vitest";
import { definitionScore, isImport, LIKELY, PARTLY, SURELY } from "../../src/search/definition.js";
import { hit } from "./made-up.js";

const score = (line: string, match = "thing") => definitionScore(hit(1, line, match));

test.for([
  "function thing() {",
  "export default async function thing<T>(",
  "export function* thing(",
  "class thing {",
  "export abstract class thing<T> extends Base {",
  "class thing(Base):",
  "public final class thing implements Other {",
  "interface thing {",
  "export declare type thing = {",
  "type thing struct {",
  "export const enum thing {",
  "const thing = 1;",
  "export const thing: Map<string, number> = new Map();",
  "let mut thing = 1;",
  "def thing(self):",
  "  async def thing(self, a):",
  "  def self.thing",
  "func thing(a int) error {",
  "func (r *Receiver) thing(a int) error {",
  "pub(crate) async fn thing<T>(a: T) -> Result<T> {",
  "pub struct thing;",
  "pub trait thing: Other {",
  "macro_rules! thing {",
  "#define thing(a) a",
  "static thing: u32 = 1;",
  "struct thing {",
  "namespace thing {",
  "fun thing(a: Int) = a",
  "data class thing(val a: Int)",
  "defmodule thing do",
  "local function M.thing(a)",
  "function M:thing(a)",
  "thing = function (a) {",
  "  thing: async (a) => {",
  "Base.prototype.thing = function () {",
  "const thing = (a) => a;",
  "(defn thing [a]",
  "(define (thing a)",
  "CREATE TABLE IF NOT EXISTS public.thing (",
  "create or replace function thing(",
  "message thing {",
])("defines it surely: %s", (line) => {
  expect(score(line)).toBe(SURELY);
});

test.for([
  "  thing(a, b) {",
  "  async thing(a: string): Promise<void> {",
  "  private static thing<T>(a: (b: T) => void): T {",
  "  get thing(): string {",
  "  thing(a: string): void;",
  "  #thing(a) {",
  "static int thing(int a)",
  "public void thing(String a) {",
  "void Class::thing(int a) {",
  "thing = 1",
  "thing := 1",
  "thing: int = 1",
  "  const thing = 1;",
  "thing() {",
  "exports.thing = other;",
  ".thing {",
])("defines it probably: %s", (line) => {
  expect(score(line)).toBe(LIKELY);
});

test.for([
  ["function thingOfMine() {", "thing"],
  ["class MyThing {", "Thing"],
  ["export const thing_b = 1;", "thing"],
] as const)("defines a longer name: %s", ([line, match]) => {
  expect(score(line, match)).toBe(PARTLY);
});

test.for([
  "thing();",
  "  return thing(a);",
  "  const a = thing(b);",
  "if (thing(a)) {",
  "  if (thing) {",
  "  while (thing(a)) {",
  'import { thing } from "./thing.js";',
  "// function thing does this",
  " * class thing",
  "  struct thing *a;",
  "a class thing is",
  "new thing({",
  "  thing(function () {",
  '  thing("a", () => {',
  "  a = thing",
  "thing == 1",
  "  thing, other",
  "thing",
  "await thing(a) {",
])("does not define it: %s", (line) => {
  expect(score(line)).toBe(0);
});

test("what is defined is another name than what matched", () => {
  expect(score("function other(thing) {")).toBe(0);
  expect(score("const other = (thing) => thing;")).toBe(0);
});

test("a pattern that holds the keyword, too, finds the definition", () => {
  expect(score("export class thing {", "class thing")).toBe(SURELY);
});

test.for([
  'import { thing } from "./thing.js";',
  'import thing from "thing"',
  "from a.b import thing",
  "import thing",
  "#include <thing.h>",
  "use crate::thing;",
  'const { thing } = require("thing");',
  'export { thing } from "./thing.js";',
  'export * as thing from "./thing.js";',
  '} from "./thing.js";',
])("is an import: %s", (line) => {
  expect(isImport(line)).toBe(true);
});

test.for(["thing();", "export { thing };", "const thing = importing();", "export const thing = 1;"])(
  "is no import: %s",
  (line) => {
    expect(isImport(line)).toBe(false);
  },
);

test("a line made to be slow is not", () => {
  const lines = [
    "a ".repeat(120),
    "(".repeat(240),
    "a(".repeat(120),
    "export ".repeat(34),
    "<".repeat(240),
    "a:".repeat(120),
  ];
  for (const line of lines)
    for (const match of ["a", "(", "<"]) if (line.includes(match)) expect(score(line, match)).toBeLessThan(4);
});
