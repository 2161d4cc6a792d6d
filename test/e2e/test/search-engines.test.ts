import { existsSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { execa } from "execa";
import { expect } from "vitest";
import { succeeds } from "./programs.js";
import { connectHttp, connectStdio, startHttp, STDIO_MAIN, test } from "./servers.js";

const canCover = await succeeds("bwrap", ["--dev-bind", "/", "/", "true"]);
if (!canCover) console.log("skipped: engines of search, one after the other: bubblewrap does not work here");

/** Where a program of the system lies. */
function placesOf(program: string): string[] {
  const places = ["/usr/local/bin", "/usr/bin", "/bin"].map((folder) => `${folder}/${program}`);
  return [...new Set(places.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

async function packagedRipgrep(): Promise<string[]> {
  const script = 'import { rgPath } from "@vscode/ripgrep"; process.stdout.write(rgPath);';
  const cwd = join(dirname(STDIO_MAIN), "..");
  const options = { cwd, stdin: "ignore", reject: false } as const;
  const { failed, stdout } = await execa(process.execPath, ["--input-type=module", "-e", script], options);
  return failed ? [] : [realpathSync(stdout)];
}

const [packaged, rg, grep] = [await packagedRipgrep(), placesOf("rg"), placesOf("grep")];

interface Machine {
  readonly name: string;
  /** Programs that are not there: their files are covered. */
  readonly covered: readonly string[];
  readonly engine: RegExp | null;
  readonly isThere: boolean;
}

const MACHINES: readonly Machine[] = [
  { name: "the packaged ripgrep", covered: [], engine: /^ripgrep \S+ \(packaged\)$/, isThere: packaged.length > 0 },
  { name: "ripgrep of the system", covered: packaged, engine: /^ripgrep \S+$/, isThere: rg.length > 0 },
  { name: "grep", covered: [...packaged, ...rg], engine: /^grep \S+$/, isThere: grep.length > 0 },
  { name: "no engine", covered: [...packaged, ...rg, ...grep], engine: null, isThere: true },
];

function machineWithout(covered: readonly string[]): string[] {
  return [
    "bwrap",
    "--die-with-parent",
    "--dev-bind",
    "/",
    "/",
    ...covered.flatMap((path) => ["--ro-bind", "/dev/null", path]),
  ];
}

async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
}

test.skipIf(!canCover).for(MACHINES)(
  "with $name both searches work, over both transports (002-2.7, 002-L1-7)",
  { timeout: 60_000 },
  async ({ covered, engine, isThere }, { root, home, skip }) => {
    if (!isThere) return skip("it is not installed");
    writeFileSync(join(root, "a.ts"), "export const Größe = 12;\nother\n");
    const under = machineWithout(covered);
    const stdio = await connectStdio(root, home, "e2e", [], under);
    const http = await startHttp(root, home, [], under);
    const overHttp = await connectHttp(http);
    for (const client of [stdio.client, overHttp]) {
      const { engines } = (await client.callTool({ name: "health", arguments: {} })).structuredContent as {
        engines: Record<string, string | null>;
      };
      const text = await textOf(client, "linux_search_content", { root, pattern: "gr\\w+ = \\d", context_lines: 0 });
      if (engine === null) {
        expect(engines["content"]).toBeNull();
        expect(text).toMatch(/^ENGINE_UNAVAILABLE: .*neither ripgrep nor grep [^]* Install ripgrep/);
      } else {
        expect(engines["content"]).toMatch(engine);
        expect(text).toMatch(/^\[.* 1 hit in 1 file.*\]\na\.ts\n1: export const Größe = 12;$/);
      }
      expect(await textOf(client, "linux_search_files", { root, pattern: "a" })).toBe(`[${root} · 1 found]\na.ts`);
    }
    await overHttp.close();
    await http.stop();
    await stdio.client.close();
  },
);
