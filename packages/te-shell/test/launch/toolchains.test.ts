import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasBubblewrap, place } from "./boxes.js";

const hasPython = (module: string): boolean =>
  spawnSync("python3", ["-c", `import ${module}`], { stdio: "ignore" }).status === 0;
const has = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
const skipped: string[] = [];
const need = (program: string, isThere: boolean): boolean => {
  if (!isThere) {
    console.warn(`skipped: ${program} is not installed`);
    skipped.push(program);
  }
  return !isThere;
};

/** The package of the pnpm on our PATH, however it came there. */
const pnpmPackage = ((): string | undefined => {
  const found = spawnSync("sh", ["-c", "command -v pnpm"], { encoding: "utf8" }).stdout.trim();
  const folder = found === "" ? "" : dirname(dirname(realpathSync(found)));
  return existsSync(join(folder, "bin/pnpm.cjs")) ? folder : undefined;
})();

/** As the server finds them: in the home and on the PATH of its user, without a line of configuration. */
const OURS = { home: homedir() };

describe.skipIf(!hasBubblewrap)("what people install for themselves works in a root without configuration", () => {
  test("npm test", async () => {
    const { root, run } = place(OURS);
    writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { test: "node --test" } }));
    writeFileSync(join(root, "a.test.js"), 'require("node:test")("adds", () => {});');

    expect(await run("npm test")).toMatchObject({ code: 0, printed: expect.stringMatching(/pass 1/) });
  });

  test("git commit, as the user of the server", async () => {
    const { run } = place(OURS);
    const name = spawnSync("git", ["config", "--global", "user.name"], { encoding: "utf8" }).stdout.trim();
    const me = name === "" ? "-c user.name=me -c user.email=me@example.org" : "";
    const done = await run(
      `git init -q . && echo x > a && git add a && git ${me} commit -qm one && git log --format=%an`,
    );
    expect(done).toEqual({ code: 0, printed: expect.stringContaining(name === "" ? "me" : name) });
  });

  test.skipIf(need("python3", has("python3")))("pytest, or unittest where there is no pytest", async () => {
    const { root, run } = place(OURS);
    writeFileSync(
      join(root, "test_a.py"),
      "import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        assert 1 + 1 == 2\n",
    );
    const done = await run(hasPython("pytest") ? "pytest -q" : "python3 -m unittest -v");
    expect(done).toMatchObject({ code: 0, printed: expect.stringMatching(/1 passed|Ran 1 test/) });
  });

  test.skipIf(need("cargo", has("cargo")))("cargo build", async () => {
    const { root, run } = place(OURS);
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "Cargo.toml"), '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n');
    writeFileSync(join(root, "src/main.rs"), 'fn main() { println!("built"); }\n');

    const done = await run("cargo build --offline && target/debug/a");
    expect(done).toMatchObject({ code: 0, printed: expect.stringMatching(/built\n$/) });
  });

  test.skipIf(need("pnpm", pnpmPackage !== undefined))("pnpm in the home", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "home-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const own = join(home, ".local/share/pnpm");
    cpSync(pnpmPackage ?? "", join(own, "package"), { recursive: true });
    symlinkSync("package/bin/pnpm.cjs", join(own, "pnpm"));
    chmodSync(join(own, "package/bin/pnpm.cjs"), 0o755);
    const { root, run } = place({ home });
    writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { hello: "echo from-pnpm" } }));

    expect(await run("pnpm run hello")).toMatchObject({ code: 0, printed: expect.stringMatching(/from-pnpm/) });
  });

  test("at most two of them may be missing here", () => expect(skipped.length).toBeLessThanOrEqual(2));

  test.each([
    [
      "nvm",
      ".nvm/versions/node/v20.11.1/bin",
      { ".nvm/alias/default": "lts/*\n", ".nvm/alias/lts/*": "v20\n", ".nvm/versions/node/v22.0.0/bin/its-tool": "" },
    ],
    ["pyenv", ".pyenv/shims", {}],
    ["cargo", ".cargo/bin", { ".cargo/credentials.toml": "canary" }],
    ["pipx and uv", ".local/bin", {}],
    ["pnpm", ".local/share/pnpm", {}],
    ["volta", ".volta/bin", {}],
    ["deno", ".deno/bin", {}],
    ["bun", ".bun/bin", {}],
  ] as const)("%s: a program of it is found by its name, and cannot be changed", async (_, bin, more) => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "home-")));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    chmodSync(home, 0o755);
    const files = { ...more, ".ssh/id": "canary", ".npmrc": "canary" };
    for (const [name, text] of Object.entries({ ...files, [`${bin}/its-tool`]: "#!/bin/sh\necho ran from $0\n" })) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text, { mode: 0o755 });
    }
    const { run } = place({ home });
    const tool = join(home, bin, "its-tool");

    expect(await run("its-tool")).toEqual({ code: 0, printed: `ran from ${tool}\n` });
    const tried = await run(`echo x >>${tool}; rm -f ${tool}; cat ${home}/.ssh/id ${home}/.npmrc ${home}/.cargo/cred*`);
    expect(tried.printed).not.toContain("canary");
    expect((await run("its-tool")).code).toBe(0);
  });
});
