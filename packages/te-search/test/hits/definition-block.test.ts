import { expect, test } from "vitest";
import { blockLength } from "../../src/hits/definition-block.js";

/** The definition ends before the line "NEXT" in each text. */
test.for([
  ["a function in braces", "function a() {\n  if (x) {\n    y();\n  }\n\n  return 1;\n}\n\nNEXT\n"],
  ["a signature over several lines", "export function a(\n  x: number,\n): number {\n  return x;\n}\nNEXT\n"],
  ["braces on lines of their own", "int f(void)\n{\n    return 1;\n}\n\nNEXT\n"],
  ["directives and labels at the margin", "int f(void)\n{\n#ifdef X\n    a();\n#endif\nout:\n    return 1;\n}\nNEXT\n"],
  ["a chain", "const a = b\n  .c()\n  .d();\nNEXT\n"],
  ["a union of types", "type A =\n  | B\n  | C;\nNEXT\n"],
  ["one line", "const a = 5;\nNEXT\n"],
  ["a member", "  name: string;\n  NEXT: number;\n"],
  ["a class of Python", "class A(B):\n    x = 1\n\n    def f(self):\n        return 1\n\n\nNEXT\n"],
  ["a function of Python with its result", "def a(\n    x,\n) -> int:\n    return x\n\n\ntry:\n    NEXT\n"],
  ["a method of Ruby", "  def a\n    if x\n      y\n    end\n  end\n\n  NEXT\n"],
  ["a function of a shell", "a() {\n\techo 1\n}\nNEXT\n"],
  ["a method of Go", "func (s *S) A() error {\n\treturn nil\n}\n\nNEXT\n"],
  ["a function of Rust with where", "fn f<T>() -> T\nwhere\n    T: X,\n{\n    g()\n}\nNEXT\n"],
  ["an if with else", "if (a) {\n  b();\n} else {\n  c();\n}\nNEXT\n"],
  ["an object", "export const a = {\n  b: 1,\n} as const;\nNEXT\n"],
] as const)("%s", ([, text]) => {
  const lines = text.split("\n");
  const next = lines.findIndex((line) => line.includes("NEXT"));
  const wanted = lines.slice(0, next).findLastIndex((line) => line.trim() !== "" && !line.startsWith("try:")) + 1;
  expect(blockLength(lines)).toBe(wanted);
});

test("a block whose end is not among the lines is not known to end; one that has ended is", () => {
  expect(blockLength(["def a():", "    return 1"])).toBeUndefined();
  expect(blockLength(["function a() {", "  return 1;"])).toBeUndefined();
  expect(blockLength(["function a() {", "  return 1;", "}", ""])).toBe(3);
});
