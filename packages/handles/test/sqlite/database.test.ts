import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, test as plain } from "vitest";
import { createHandleStore, openDatabase } from "../../src/index.js";
import { SQLITE_KINDS, test, type SqliteDatabase } from "../drivers.js";

const LIMITS = { maxTotalBytes: 64 << 20, maxPayloadBytes: 16 << 20, maxAgeHours: 24 };
const STEPS = [["CREATE TABLE notes (text TEXT NOT NULL)"], ["ALTER TABLE notes ADD COLUMN at INTEGER"]];

const write = (database: SqliteDatabase, text: string, signal?: AbortSignal) =>
  database.run(() => database.orm.run(sql`INSERT INTO notes (text) VALUES (${text})`), signal);
const read = (database: SqliteDatabase) =>
  database.run(() => database.orm.values<[string]>(sql`SELECT text FROM notes`).map(([text]) => text));
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

plain("keeps everything in memory when no folder is given, without a warning", async () => {
  const warnings: string[] = [];
  const database = await openDatabase({ dataDir: null, warn: (text) => void warnings.push(text) });
  const { kind } = database;
  await database.close();
  expect({ kind, warnings }).toEqual({ kind: "memory", warnings: [] });
});

describe.each(SQLITE_KINDS)("the database on %s", (driver) => {
  test("lies in the folder it was given, which it makes", async ({ dir, open }) => {
    const dataDir = join(dir, "new", "data");
    const { database, warnings } = await open({ driver, dataDir });
    expect({ kind: database.kind, files: await readdir(dataDir), warnings }).toEqual({
      kind: driver,
      files: expect.arrayContaining(["linuxops.db"]),
      warnings: [],
    });
  });

  describe("its files", () => {
    test.for([0o000, 0o022, 0o777])("are for this user alone under umask %o", async (mask, { dir, openSqlite }) => {
      const before = process.umask(mask);
      try {
        const { database } = await openSqlite({ driver, dataDir: join(dir, "data") });
        await database.migrate("notes", STEPS);
        await write(database, "a");
        expect(process.umask()).toBe(mask);
      } finally {
        process.umask(before);
      }
      const names = (await readdir(join(dir, "data"))).toSorted();
      const modes = await Promise.all(names.map(async (name) => [name, await modeOf(join(dir, "data", name))]));
      expect([await modeOf(join(dir, "data")), ...modes]).toEqual([
        "700",
        ["linuxops.db", "600"],
        ["linuxops.db-shm", "600"],
        ["linuxops.db-wal", "600"],
      ]);
    });

    test("are closed to others when they were open", async ({ dir, openSqlite }) => {
      const first = await openSqlite({ driver });
      await first.database.migrate("notes", STEPS);
      const files = ["linuxops.db", "linuxops.db-shm", "linuxops.db-wal"].map((name) => join(dir, name));
      await Promise.all(files.map((file) => chmod(file, 0o666)));
      await openSqlite({ driver });
      expect(await Promise.all(files.map(modeOf))).toEqual(["600", "600", "600"]);
    });

    test("an empty folder is closed to others", async ({ dir, open }) => {
      await chmod(dir, 0o755);
      await open({ driver });
      expect(await modeOf(dir)).toBe("700");
    });

    test("a folder with other things in it keeps its mode, and a warning says what is wrong with it", async ({
      dir,
      open,
    }) => {
      await writeFile(join(dir, "other"), "");
      await chmod(dir, 0o775);
      const { warnings } = await open({ driver });
      expect([await modeOf(dir), warnings]).toEqual([
        "775",
        [`Other users can write in the data folder ${dir}: chmod 700 it.`],
      ]);
    });

    test.for(["linuxops.db", "linuxops.db-wal"])("a link in place of %s is refused", async (name, { dir, open }) => {
      const target = join(dir, "target");
      await writeFile(target, "");
      await chmod(target, 0o644);
      const dataDir = join(dir, "data");
      await mkdir(dataDir, { mode: 0o700 });
      await symlink(target, join(dataDir, name));
      await expect(open({ driver, dataDir })).rejects.toMatchObject({
        code: "ENGINE_UNAVAILABLE",
        message: `The server's database is not available: ${join(dataDir, name)} is not a regular file`,
      });
      expect([await modeOf(target), await readFile(target, "utf8")]).toEqual(["644", ""]);
    });

    test("a folder that cannot be made is told in one line", async ({ dir, open }) => {
      await writeFile(join(dir, "file"), "");
      const dataDir = join(dir, "file", "data");
      await expect(open({ driver, dataDir })).rejects.toMatchObject({
        code: "ENGINE_UNAVAILABLE",
        message: `The server's database is not available: ${dataDir} cannot be written (ENOTDIR)`,
        hint: expect.stringContaining("LLMC_DATA_DIR"),
      });
    });

    test("a folder below /proc is refused: Node's recursive mkdir would never return", async ({ open }) => {
      await expect(open({ dataDir: "/proc/llmc/state" })).rejects.toMatchObject({
        code: "ENGINE_UNAVAILABLE",
        message: "The server's database is not available: /proc/llmc/state cannot be written (ENOENT)",
      });
    });

    test.skipIf(process.geteuid?.() === 0)("a folder that cannot be written is told too", async ({ dir, open }) => {
      const dataDir = join(dir, "shut");
      await mkdir(dataDir, { mode: 0o500 });
      await expect(open({ driver, dataDir })).rejects.toMatchObject({ code: "ENGINE_UNAVAILABLE" });
    });
  });

  describe("migrations", () => {
    test("keep what was written by an older version", async ({ openSqlite }) => {
      const old = await openSqlite({ driver });
      await old.database.migrate("notes", STEPS.slice(0, 1));
      await write(old.database, "a");
      await old.database.close();
      const { database } = await openSqlite({ driver });
      await database.migrate("notes", STEPS);
      await database.run(() => database.orm.run(sql`UPDATE notes SET at = 1`));
      expect(await read(database)).toEqual(["a"]);
    });

    test("run once when many open the database at the same moment", async ({ openSqlite }) => {
      const opened = await Promise.all(Array.from({ length: 6 }, () => openSqlite({ driver })));
      await Promise.all(opened.map(({ database }) => database.migrate("notes", STEPS)));
      await Promise.all(opened.map(({ database }, index) => write(database, String(index))));
      expect((await read(opened[0]!.database)).toSorted()).toEqual(["0", "1", "2", "3", "4", "5"]);
    });

    test("leave nothing behind when a step fails, and do not stop other modules", async ({ openSqlite }) => {
      const { database } = await openSqlite({ driver });
      const broken = [["CREATE TABLE half (a)", "CREATE TABLE half (a)"]];
      await expect(database.migrate("half", broken)).rejects.toThrow("already exists");
      await database.migrate("half", [["CREATE TABLE half (a)"]]);
      await database.migrate("notes", STEPS);
      await write(database, "a");
      expect(await read(database)).toEqual(["a"]);
    });

    test("refuse a database of a newer version, and do not stop other modules", async ({ dir, openSqlite }) => {
      const newer = await openSqlite({ driver });
      await newer.database.migrate("notes", STEPS);
      await newer.database.close();
      const { database } = await openSqlite({ driver });
      await expect(database.migrate("notes", STEPS.slice(0, 1))).rejects.toMatchObject({
        code: "ENGINE_UNAVAILABLE",
        message: expect.stringContaining("a newer version of this program wrote it (notes is at 2, this one knows 1)"),
        hint: `Run the newer program, or move ${join(dir, "linuxops.db")} away.`,
      });
      await database.migrate("other", [["CREATE TABLE other (a)"]]);
      expect(await read(database)).toEqual([]);
    });
  });

  describe("a lock of another process", () => {
    type OpenSqlite = (options: object) => Promise<{ readonly database: SqliteDatabase }>;

    async function locked(openSqlite: OpenSqlite, options: object = {}) {
      const holder = await openSqlite({ driver });
      await holder.database.migrate("notes", STEPS);
      const { database } = await openSqlite({ driver, busyTimeoutMs: 1, ...options });
      holder.database.orm.run(sql`BEGIN IMMEDIATE`);
      return { database, release: () => void holder.database.orm.run(sql`COMMIT`) };
    }

    test("is waited for with the event loop free", async ({ openSqlite }) => {
      const { database, release } = await locked(openSqlite);
      const written = write(database, "a");
      for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
      release();
      await written;
      expect(await read(database)).toEqual(["a"]);
    });

    test("does not stop reading", async ({ openSqlite }) => {
      const { database, release } = await locked(openSqlite);
      expect(await read(database)).toEqual([]);
      release();
    });

    test("that lasts too long is told", async ({ openSqlite }) => {
      const { database, release } = await locked(openSqlite, { retryMs: 30 });
      await expect(write(database, "a")).rejects.toMatchObject({
        code: "ENGINE_UNAVAILABLE",
        message: "The server's database is not available: another process keeps it locked",
      });
      release();
      await write(database, "b");
      expect(await read(database)).toEqual(["b"]);
    });

    test("is not waited for after the call was cancelled", async ({ openSqlite }) => {
      const { database, release } = await locked(openSqlite, { retryMs: 1e9 });
      const cancel = new AbortController();
      const written = write(database, "a", cancel.signal);
      setImmediate(() => cancel.abort());
      await expect(written).rejects.toMatchObject({ code: "CANCELLED" });
      release();
      expect(await read(database)).toEqual([]);
    });
  });

  describe("a corrupt file", () => {
    const PAGE = 16384;
    const GARBAGE = "not a database ".repeat(10_000);

    /** The one that was set aside, beside the database. */
    async function setAside(dir: string): Promise<string[]> {
      return (await readdir(dir)).filter((name) => /^linuxops\.db\.corrupt-\d{8}T\d{6}Z$/.test(name));
    }

    async function damage(file: string, page: number): Promise<void> {
      const bytes = await readFile(file);
      bytes.fill(0xff, page * PAGE, (page + 1) * PAGE);
      await writeFile(file, bytes);
    }

    test("that is no database is set aside, told, and replaced", async ({ dir, openSqlite }) => {
      await writeFile(join(dir, "linuxops.db"), GARBAGE);
      const { database, warnings } = await openSqlite({ driver });
      await database.migrate("notes", STEPS);
      await write(database, "a");
      const [aside, ...others] = await setAside(dir);
      expect([await readFile(join(dir, aside!), "utf8"), others]).toEqual([GARBAGE, []]);
      expect(warnings).toEqual([expect.stringContaining(`It is kept as ${join(dir, aside!)}; a fresh one serves.`)]);
      expect(await read(database)).toEqual(["a"]);
    });

    test("with one bad page is found when it is opened", async ({ dir, openSqlite }) => {
      const before = await openSqlite({ driver });
      await before.database.migrate("notes", STEPS);
      for (const text of ["a", "b", "c"]) await write(before.database, text.repeat(20_000));
      await before.database.close();
      await damage(join(dir, "linuxops.db"), 2);
      const { database, warnings } = await openSqlite({ driver });
      expect([warnings.length, (await setAside(dir)).length]).toEqual([1, 1]);
      await database.migrate("notes", STEPS);
      expect(await read(database)).toEqual([]);
    });

    test("too large to be checked whole is found when it is used, by every server on it", async ({
      dir,
      openSqlite,
    }) => {
      const before = await openSqlite({ driver });
      const filled = await createHandleStore(before.database, { limits: LIMITS });
      const input = { owner: "me", type: "file", meta: { kind: "file_content" } };
      for (let made = 0; made < 6; made += 1) await filled.create({ ...input, payload: Buffer.alloc(1 << 20, made) });
      const index = sql`SELECT rootpage FROM sqlite_schema WHERE name = 'handles_by_owner'`;
      const [[rootPage]] = before.database.orm.values<[number]>(index) as [[number]];
      await filled.close();
      await before.database.close();
      await damage(join(dir, "linuxops.db"), rootPage - 1);

      const [one, two] = [await openSqlite({ driver }), await openSqlite({ driver })];
      const stores = await Promise.all(
        [one, two].map(({ database }) => createHandleStore(database, { limits: LIMITS })),
      );
      // Two calls of each server meet the fault at the same moment.
      const lists = () => Promise.all([...stores, ...stores].map((store) => store.list("me", { limit: 10 })));
      expect(await lists()).toEqual([[], [], [], []]);
      const made = await stores[1]!.create({ ...input, payload: Buffer.from("fresh") });
      expect(await lists()).toEqual([[made], [made], [made], [made]]);
      expect([(await setAside(dir)).length, [...one.warnings, ...two.warnings].toSorted()]).toEqual([
        1,
        [expect.stringContaining("is corrupt ("), expect.stringContaining("another server has set it aside")],
      ]);
      await Promise.all(stores.map((store) => store.close()));
    });
  });

  test("that somebody removed is made anew, and its rows are in the new file", async ({ dir, openSqlite }) => {
    const { database, warnings } = await openSqlite({ driver });
    await database.migrate("notes", STEPS);
    await write(database, "lost");
    await rm(dir, { recursive: true });
    await write(database, "kept");
    await database.close();
    const again = await openSqlite({ driver });
    expect([await read(again.database), warnings.length]).toEqual([["kept"], 1]);
  });

  test("that is full rejects what does not fit and goes on with what does", async ({ openSqlite }) => {
    const { database } = await openSqlite({ driver });
    const store = await createHandleStore(database, { limits: LIMITS });
    const input = { owner: "me", type: "file", meta: { kind: "file_content" } };
    const small = { ...input, payload: Buffer.from("small") };
    const large = { ...input, payload: Buffer.alloc(4 << 20, "x") };
    const [[pages]] = database.orm.values<[number]>(sql`PRAGMA page_count`) as [[number]];
    database.orm.values(sql.raw(`PRAGMA max_page_count = ${pages + 10}`));
    const kept = [await store.create(small)];
    await expect(store.create(large)).rejects.toMatchObject({
      code: "WRITE_FAILED",
      message: "The server's database could not be written: database or disk is full",
    });
    kept.unshift(await store.create(small));
    expect((await store.list("me", { limit: 10 })).map(({ id }) => id).toSorted()).toEqual(
      kept.map((handle) => handle!.id).toSorted(),
    );
    database.orm.values(sql`PRAGMA max_page_count = 1000000`);
    expect(await store.create(large)).toMatchObject({ size: 4 << 20 });
    await store.close();
  });

  test("closes twice without harm, leaves one file, and answers clearly afterwards", async ({ dir, openSqlite }) => {
    const { database } = await openSqlite({ driver });
    await database.migrate("notes", STEPS);
    await database.close();
    await database.close();
    expect(await readdir(dir)).toEqual(["linuxops.db"]);
    await expect(read(database)).rejects.toMatchObject({
      message: "The server's database is not available: it was closed",
    });
    expect((await lstat(join(dir, "linuxops.db"))).isFile()).toBe(true);
  });
});
