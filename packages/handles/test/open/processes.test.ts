import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect } from "vitest";
import { createHandleStore } from "../../src/index.js";
import { bundle } from "../bundle.js";
import { SQLITE_KINDS, test } from "../drivers.js";

interface Line {
  readonly made?: string;
  readonly sha256?: string;
  readonly deleting?: string;
  readonly failed?: string;
  readonly warning?: string;
  readonly ready?: string;
  readonly done?: number;
}

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "handles-bundle-"));
  program = await bundle("test/fixtures/worker.ts", folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

class Server {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown[]>;
  readonly #waiting: { wanted: (line: Line) => boolean; found: () => void }[] = [];
  readonly lines: Line[] = [];

  constructor(dataDir: string, owner: string, calls: number, driver: string) {
    const args = [program, dataDir, owner, String(calls), driver];
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#exit = once(this.#child, "close");
    createInterface({ input: this.#child.stdout! }).on("line", (text) => this.#take(JSON.parse(text) as Line));
  }

  #take(line: Line): void {
    this.lines.push(line);
    for (const { wanted, found } of this.#waiting) if (wanted(line)) found();
  }

  /** When the first such line has come, or the process has ended. */
  async until(wanted: (line: Line) => boolean): Promise<void> {
    if (this.lines.some(wanted)) return;
    await Promise.race([new Promise<void>((found) => this.#waiting.push({ wanted, found })), this.#exit]);
  }

  begin(): void {
    this.#child.stdin!.write("go\n");
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  async end(): Promise<unknown> {
    const [code, signal] = await this.#exit;
    return code ?? signal;
  }
}

const CALLS = 1000;

test.for(SQLITE_KINDS)(
  "two servers on one %s database, one killed half-way: no lock reaches a caller, no acknowledged row is missing",
  { timeout: 60_000 },
  async (driver, { dir, open }) => {
    const [survivor, victim] = [new Server(dir, "a", CALLS, driver), new Server(dir, "b", CALLS, driver)];
    await Promise.all([survivor, victim].map((server) => server.until(({ ready }) => ready === driver)));
    survivor.begin();
    victim.begin();
    let made = 0;
    await victim.until((line) => line.made !== undefined && (made += 1) === CALLS / 4);
    victim.kill();
    expect(await Promise.all([survivor.end(), victim.end()])).toEqual([0, "SIGKILL"]);

    const said = [...survivor.lines, ...victim.lines];
    expect(said.filter((line) => line.failed !== undefined || line.warning !== undefined)).toEqual([]);
    expect(survivor.lines.at(-1)).toEqual({ done: CALLS });

    const { database } = await open({ driver });
    const limits = { maxTotalBytes: 1 << 28, maxPayloadBytes: 1 << 20, maxAgeHours: 1 };
    const store = await createHandleStore(database, { limits });
    for (const [owner, { lines }] of [["a", survivor] as const, ["b", victim] as const]) {
      const deleting = new Set(lines.map((line) => line.deleting));
      const acknowledged = lines.filter((line) => line.made !== undefined && !deleting.has(line.made));
      const found = await Promise.all(acknowledged.map(({ made: id }) => store.readSlice(owner, id!, 0, 1 << 20)));
      const facts = found.map(({ data, handle }) => ({
        made: handle.id,
        sha256: createHash("sha256").update(data).digest("hex"),
      }));
      expect(facts).toEqual(acknowledged);
    }
    await store.close();
  },
);
