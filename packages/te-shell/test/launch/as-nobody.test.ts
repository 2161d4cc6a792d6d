import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const NOBODY = 65_534;
const HERE = join(import.meta.dirname, "../..");
const VITEST = join(
  dirname(createRequire(join(HERE, "../../package.json")).resolve("vitest/package.json")),
  "vitest.mjs",
);
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--", process.execPath];

const why =
  process.getuid?.() !== 0
    ? "only root can become somebody else, and the other files run without its rights already"
    : spawnSync("setpriv", [...AS_NOBODY, VITEST, "--version"], { stdio: "ignore" }).status !== 0
      ? "another user cannot read this checkout, or Node"
      : undefined;
if (why !== undefined) console.warn(`skipped: ${why}`);

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The tests that run here as root, as a user without any right: both boxes are built another way then. */
test.skipIf(why !== undefined).each(["escapes", "view", "sandbox", "windows"])(
  "%s.test.ts holds for a server that is not root",
  { timeout: 300_000 },
  async (name) => {
    const home = mkdtempSync(join(tmpdir(), "nobody-"));
    chmodSync(home, 0o755);
    chownSync(home, NOBODY, NOBODY);
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const report = join(home, "report.json");
    // The runner as loader: any other writes beside the configuration, which belongs to somebody else.
    const words = [
      VITEST,
      "run",
      "--config",
      "../../vitest.config.ts",
      "--configLoader",
      "runner",
      "--reporter",
      "json",
    ];
    const child = spawn(
      "setpriv",
      [...AS_NOBODY, ...words, "--outputFile.json", report, `test/launch/${name}.test.ts`],
      { cwd: HERE, env: { PATH: process.env["PATH"], HOME: home }, stdio: ["ignore", "ignore", "inherit"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((resolve) => child.once("close", resolve));

    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const failed = testResults.flatMap(({ message, assertionResults }) => [
      ...(message === "" ? [] : [message]),
      ...assertionResults
        .filter(({ status }) => status === "failed")
        .map((each) => [each.fullName, each.failureMessages]),
    ]);
    expect(failed).toEqual([]);
    expect(numPassedTests).toBeGreaterThan(3);
  },
);
