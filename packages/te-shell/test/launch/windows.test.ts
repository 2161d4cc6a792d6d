import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { RunningCommand, type CommandEnd, type Launch } from "../../src/index.js";
import { hasBubblewrap, hasNamespaces, place, type Place } from "./boxes.js";

/** Between the decision that a command may run and its start anybody may change what it was about. */
async function ready({ prepare }: Place, command: readonly string[], cwd?: string): Promise<Launch> {
  const launch = await prepare(command, cwd === undefined ? {} : { cwd });
  if ("missing" in launch) throw new Error(`${launch.missing} is missing`);
  return launch;
}

async function end(launch: Launch): Promise<CommandEnd> {
  return (await RunningCommand.start(launch, { maxBytes: 10_000 })).end();
}

function told({ problem, stderr }: CommandEnd): string {
  return problem ?? stderr.head().toString();
}

/** A folder of programs that the operator opened. */
function freshBin(): string {
  const bin = realpathSync(mkdtempSync(join(tmpdir(), "commands-bin-")));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  return bin;
}

const TIERS = [
  ["bubblewrap", hasBubblewrap, {}],
  ["namespaces", hasNamespaces, { boxKind: "namespaces" }],
  ["no sandbox", true, { sandbox: "off", lists: { allowUnsafe: true } }],
] as const;

describe.each(TIERS)("with %s", (kind, isThere, options) => {
  describe.skipIf(!isThere)("what goes away before the start", () => {
    test("the working folder: it is named", async () => {
      const here = place(options);
      const cwd = join(here.root, "folder");
      mkdirSync(cwd);
      const launch = await ready(here, ["ls"], cwd);
      rmSync(cwd, { recursive: true });

      await expect(end(launch)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: expect.stringContaining(cwd),
        hint: expect.stringMatching(/working folder/),
      });
    });

    test("a file in its place is told apart", async () => {
      const here = place(options);
      const cwd = join(here.root, "folder");
      mkdirSync(cwd);
      const launch = await ready(here, ["ls"], cwd);
      rmSync(cwd, { recursive: true });
      writeFileSync(cwd, "");

      await expect(end(launch)).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
    });

    // Root's rights to enter whatever it likes end at the box.
    test.skipIf(kind === "no sandbox" && process.getuid?.() === 0)("the right to enter it", async () => {
      const here = place(options);
      const cwd = join(here.root, "folder");
      mkdirSync(cwd, { mode: 0o000 });

      const ended = ready(here, ["ls"], cwd).then(end);

      // The box of util-linux gives its rights up within the folder: there the program meets it.
      if (kind === "namespaces") return expect(told(await ended)).toMatch(/Permission denied/);
      await expect(ended).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        message: expect.stringContaining(cwd),
      });
    });

    test("the whole root, before and after the decision", async () => {
      const here = place(options);
      const launch = await ready(here, ["ls"]);
      rmSync(here.root, { recursive: true });

      await expect(end(launch)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: expect.stringContaining(here.root),
      });
      await expect(ready(here, ["ls"]).then(end)).rejects.toMatchObject({ code: "NOT_FOUND" });
    });

    test("the program, or what runs it: 127, and why", async () => {
      const bin = freshBin();
      const here = place({ ...options, pathExtra: [bin], lists: { allowUnsafe: true, allowed: ["tool", "script"] } });
      copyFileSync("/bin/true", join(bin, "tool"));
      writeFileSync(join(bin, "script"), "#!/no/such/interpreter\n", { mode: 0o755 });
      const launch = await ready(here, ["tool"]);
      rmSync(join(bin, "tool"));

      const gone = await end(launch);
      expect([gone.exitCode, told(gone)]).toEqual([127, expect.stringMatching(/tool.*(No such file|is gone)/)]);
      const script = await end(await ready(here, ["script"]));
      expect([script.exitCode, told(script)]).toEqual([
        127,
        expect.stringMatching(/script.*(No such file|interpreter)/),
      ]);
    });
  });
});

describe.each(TIERS)("with %s", (_, isThere, options) => {
  test.skipIf(!isThere)("a name that exists nowhere: 127, and the program that was meant", async () => {
    const bin = freshBin();
    for (const name of ["frobnicate", "munge3", "munge3.11", "hidden-one"]) copyFileSync("/bin/true", join(bin, name));
    chmodSync(join(bin, "hidden-one"), 0o644);
    const { prepare } = place({ ...options, pathExtra: [bin] });
    const hintFor = async (name: string) => {
      const { missing, hint } = (await prepare([name])) as { missing: string; hint?: string };
      expect(missing).toBe(name);
      return hint;
    };

    expect(await hintFor("frobincate")).toBe("did you mean frobnicate?");
    expect(await hintFor("munge")).toBe("did you mean munge3?");
    for (const name of ["something-else-entirely", "hidden-on", "./frobnicate", "x".repeat(5000), ""])
      expect(await hintFor(name).catch(() => undefined)).toBeUndefined();
  });
});

test.skipIf(!hasBubblewrap)("bubblewrap is removed: said once, then looked for anew", async () => {
  const bin = freshBin();
  symlinkSync("/usr/bin/bwrap", join(bin, "bwrap"));
  const here = place({ boxPath: bin, sandbox: "require" });
  expect((await here.run(["true"])).code).toBe(0);
  rmSync(join(bin, "bwrap"));

  await expect(ready(here, ["true"]).then(end)).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringMatching(/bwrap.*not found/),
  });
  await expect(ready(here, ["true"])).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    remedy: { id: "commands-off", fix: expect.stringContaining("Install bubblewrap") },
  });
  symlinkSync("/usr/bin/bwrap", join(bin, "bwrap"));
  expect((await here.run(["true"])).code).toBe(0);
});

describe.each(TIERS.slice(0, 2))("with %s", (_, isThere, options) => {
  test.skipIf(!isThere)("our own folders are removed while we run: made anew", async () => {
    const state = freshBin();
    const { run } = place({ ...options, stateDir: state });
    expect(await run("echo one >~/file; cat ~/file")).toEqual({ code: 0, printed: "one\n" });

    rmSync(join(state, "commands"), { recursive: true, force: true });

    expect(await run("echo two >~/file; cat ~/file")).toEqual({ code: 0, printed: "two\n" });
    // Of a session's alone, as a cleaner takes what is old.
    const [own] = readdirSync(join(state, "commands")).map((name) => join(state, "commands", name));
    for (const name of readdirSync(own ?? "").filter((each) => /^[0-9a-f]{16}$/.test(each)))
      rmSync(join(own ?? "", name), { recursive: true });
    expect(await run("exec 2>&1; cat ~/file; echo three >/tmp/file; cat /tmp/file")).toMatchObject({
      printed: expect.stringMatching(/No such file[^]*three\n$/),
    });
  });

  test.skipIf(!isThere)("our own folders cannot be made: said, and tried again", async () => {
    const state = join(freshBin(), "state");
    writeFileSync(state, "");
    const { run, commands } = place({ ...options, stateDir: state });

    await expect(run("true")).rejects.toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: expect.stringMatching(/folders cannot be made in the data dir \(E\w+\)/),
    });
    expect(await commands.sandbox()).toMatchObject({ kind: "none", why: expect.stringContaining("the data dir") });

    rmSync(state);
    expect((await run("true")).code).toBe(0);
  });
});
