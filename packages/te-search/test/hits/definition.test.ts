import { expect, test } from "vitest";
import { definitionScore, isImport } from "../../src/hits/definition.js";
import { DECLARES, LIKELY, PARTLY, SURELY } from "../../src/hits/definition-forms.js";
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
  "using thing = other<int>;",
  "template <typename T, typename U = std::enable_if<(T::value)>> struct thing {",
  "template <> struct thing<int> : other {};",
  "class LIBRARY_API thing : public Base {",
  "typedef struct thing {",
  "typedef struct other thing;",
  "typedef unsigned char thing[16];",
  "typedef void (*thing)(int a);",
  "typedef thing = void Function();",
  "enum class thing : int { a, b };",
  "internal enum class thing(",
  "typealias thing = Map<String, Int>",
  "private const val thing = 1",
  "internal actual fun <T> List.thing(a: T): T {",
  "class thing internal constructor(val a: Int)",
  "class thing # :nodoc:",
  "  class func thing(a: Int) -> Int {",
  "newtype thing = Other String",
  "@type thing :: map",
  "-define(thing, 1).",
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
  "  @Override public void thing() throws Other {",
  '  public static final String thing = "a";',
  "  private readonly Map<string, int> thing;",
  "  public string? thing { get; set; }",
  "  public int thing => 1;",
  "  public override bool thing(int a) => other(a);",
  "  auto thing() const -> int { return other(a); }",
  "static void thing(int a) { b = 1; }",
  "Collection<? extends Other> thing() {",
  "  protected ?array $thing = [];",
  "static uv_tcp_t thing;",
  "static struct other thing = {",
  "int thing[2] = {1, 2};",
  "} thing;",
  "  pub(crate) thing: Vec<Other>,",
  "export thing=1",
  "thing :: Int -> Int",
  "data thing a = Other a",
  "  attr_reader :thing",
  ".thing {",
])("defines it probably: %s", (line) => {
  expect(score(line)).toBe(LIKELY);
});

test.for(["  THING_B = 1, // a", '  THING_B = "a"'])("a constant wherever it stands: %s", (line) => {
  expect(score(line, "THING_B")).toBe(LIKELY);
});

test.for(["class THE_THING {", "class THE_THING extends Base {", "class THE_THING final : Base {"])(
  "a name in capitals is none of a macro: %s",
  (line) => {
    expect(score(line, "THE_THING")).toBe(SURELY);
  },
);

test.for([
  "  int thing = 1;",
  "  uint32_t thing;",
  "int thing(int a);",
  "extern int thing (int __fd, const void *__buf, size_t __n);",
  "  void thing(Class<?> a) throws Other;",
  "  thing: Option<Other>,",
  "  thing?: string | undefined;",
  "  { thing :: Int",
])("declares it: %s", (line) => {
  expect(score(line)).toBe(DECLARES);
});

test("a call alone on its line may be a function of a shell", () => {
  expect(score("thing()")).toBe(PARTLY);
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
  "  thing()",
  "  key: thing(a,",
  "  return thing;",
  "  echo thing(a);",
  "  using var a = thing(b);",
  "  THING = thing;",
  "private thing:",
  "package thing",
  "  .thing = other,",
  "other thing = other thing thing",
])("does not define it: %s", (line) => {
  expect(score(line)).toBe(0);
});

test("what is defined is another name than what matched", () => {
  expect(score("function other(thing) {")).toBe(0);
  expect(score("const other = (thing) => thing;")).toBe(0);
});

test("a constructor outside of its class", () => {
  expect(score("Other::thing::thing(int a)", "thing(")).toBe(LIKELY);
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
    "template<a> ".repeat(20),
    `template<a> ${"a<b> ".repeat(45)}`,
    "public ".repeat(34),
    "a\t".repeat(120),
  ];
  for (const line of lines)
    for (const match of ["a", "(", "<"]) if (line.includes(match)) expect(score(line, match)).toBeLessThan(4);
});
