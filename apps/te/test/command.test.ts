import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { freshHome, TE, texts } from "./processes.js";

/** Bytes that a text would not survive. */
const ODD = String.raw`\033[31mred\033[0m 10%%\r20%%\000\377 no line end`;

test("below 1,024 characters both streams are the command's to the byte", async () => {
  const { te, run } = freshHome();
  const script = `printf '${ODD}'; printf '${ODD} on stderr' >&2; exit 3`;
  const direct = await run(["sh", "-c", script]);
  expect(direct.stdout.length).toBeGreaterThan(30);
  expect(await te(["sh", "-c", script])).toEqual(direct);
});

test("larger output that is no text passes to the byte", async () => {
  const { te, file } = freshHome();
  const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at) % 251));
  expect((await te(["cat", file("bytes", bytes)])).stdout.equals(bytes)).toBe(true);
});

test("stdin is the command's", async () => {
  const { te } = freshHome();
  expect(texts(await te(["cat", "-n"], { input: "a\nb\n" })).stdout).toBe("     1\ta\n     2\tb\n");
});

test("the command runs in the folder and the environment of the caller", async () => {
  const { te, home } = freshHome();
  const { stdout } = texts(await te(["sh", "-c", "pwd; echo $GREETING"], { env: { GREETING: "hello" } }));
  expect(stdout).toBe(`${home}\nhello\n`);
});

test.each([
  [["nosuchprogram", "x"], 127, "te: nosuchprogram: command not found\n"],
  [["nosuchprogram x"], 127, "te: nosuchprogram: command not found\n"],
  [["./plain"], 126, "te: ./plain: permission denied\n"],
  [[""], 127, "te: : command not found\n"],
])("%j is not executed: exit code %i", async (argv, code, stderr) => {
  const { te, file } = freshHome();
  file("plain", "echo no");
  expect(texts(await te(argv))).toEqual({ code, stdout: "", stderr });
});

describe("the command line", () => {
  test.each([
    [["printf 'b\\na\\n' | sort && exit 4"], 4, "a\nb\n"],
    [["exit 9"], 9, ""],
    [["type cd"], 0, "cd is a shell builtin\n"],
    [["printf %s 'one argument'"], 0, "one argument"],
    [["printf", "%s", "a b", "*"], 0, "a b*"],
    [["printf", "%s", "--json"], 0, "--json"],
    [["--", "printf", "x"], 0, "x"],
    [["--raw", "--", "printf", "x"], 0, "x"],
    [["--budget", "9", "printf", "x"], 0, "x"],
  ])("%j", async (argv, code, stdout) => {
    const { te } = freshHome();
    expect(texts(await te(argv))).toEqual({ code, stdout, stderr: "" });
  });

  test.each([
    [["--jsno", "ls"], 'unknown flag "--jsno"; did you mean --json?'],
    [["-n", "ls"], 'unknown flag "-n"; --help lists what there is'],
    [["--json"], "a command is missing"],
    [["--budget", "x", "ls"], "--budget needs a whole number from 1 on"],
    [["--raw", "--budget", "9", "ls"], "--raw shortens nothing, so --budget does not go with it"],
    [["--lines", "1-2"], "--lines goes with --handle H"],
    [["--handle", "h000000", "ls"], "--handle takes no command"],
    [["--handle", "h000000", "--json"], "--json goes with a command, not with --handle"],
    [["--handle", "h000000", "--chunk", "1", "--match", "x"], "--chunk does not go with --lines or --match"],
  ])("%j is refused in one line", async (argv, message) => {
    const { te } = freshHome();
    expect(texts(await te(argv))).toEqual({ code: 2, stdout: "", stderr: `te: ${message}\n` });
  });

  test("alone and with --help it shows one screen, with --version the version", async () => {
    const { te } = freshHome();
    const help = texts(await te([]));
    expect(help).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Usage: te [--json]") });
    expect(help.stdout.split("\n").length).toBeLessThan(35);
    expect(texts(await te(["--help"]))).toEqual(help);
    expect(texts(await te(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

test("a command may open its streams by name, as on every pipe", async () => {
  const { te } = freshHome();
  const { code, stdout, stderr } = texts(await te(["sh", "-c", "echo out > /dev/stdout; echo err > /dev/stderr"]));
  expect([code, stdout, stderr]).toEqual([0, "out\n", "err\n"]);
});

test("with 2>&1 the lines of both streams keep their order", async () => {
  const { run } = freshHome();
  const script = "for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done";
  const { code, stdout } = texts(await run(["sh", "-c", '"$@" 2>&1', "sh", process.execPath, TE, "sh", "-c", script]));
  expect([code, stdout]).toEqual([0, [1, 2, 3, 4, 5].map((at) => `out ${at}\nerr ${at}\n`).join("")]);
  const missing = await run(["sh", "-c", '"$@" 2>&1', "sh", process.execPath, TE, "nosuchprogram"]);
  expect(texts(missing)).toEqual({ code: 127, stdout: "te: nosuchprogram: command not found\n", stderr: "" });
});

test("of 20 MB nothing is lost, on both streams", async () => {
  const { te, run } = freshHome();
  const script = "seq 1 2700000; seq 1 300000 >&2; exit 5";
  const sum = (bytes: Buffer) => [bytes.length, createHash("sha256").update(bytes).digest("hex")];
  const direct = await run(["sh", "-c", script]);
  const { code, stdout, stderr } = await te(["sh", "-c", script]);
  expect(direct.stdout.length).toBeGreaterThan(20_000_000);
  expect([code, sum(stdout), sum(stderr)]).toEqual([5, sum(direct.stdout), sum(direct.stderr)]);
});

test("a command without an end ends when its reader goes away", async () => {
  const { run } = freshHome();
  const script = '"$@" | head -n 1; echo "${PIPESTATUS[0]}"';
  const { stdout } = texts(await run(["bash", "-c", script, "bash", process.execPath, TE, "yes"]));
  expect(stdout).toBe("y\n141\n");
});
