import { createHash, randomBytes } from "node:crypto";
import { HandleExpiredError, HandleNotFoundError, InvalidArgumentError, OpsError } from "@llmc/errors";
import { describe, expect } from "vitest";
import {
  createHandleStore,
  shortName,
  type Handle,
  type HandleInput,
  type HandleLimits,
  type HandleStore,
} from "../../src/index.js";
import { KINDS, test as base } from "../drivers.js";

const HOUR = 3_600_000;
const START = Date.UTC(2025, 11, 1, 18, 0, 0, 123);
const LIMITS: HandleLimits = { maxTotalBytes: 64 * 1024 * 1024, maxPayloadBytes: 16 * 1024 * 1024, maxAgeHours: 24 };

const MiB = 1024 * 1024;
const SOURCE = { dev: 1n, ino: 2n, size: 3n, mtimeNs: 5n, ctimeNs: BigInt(START - 10_000) * 1_000_000n };
const SETTLED = { ...SOURCE, readAtMs: START };

describe.each(KINDS)("a handle store on %s", (driver) => {
  interface Bench {
    readonly store: HandleStore;
    put(text: string, more?: Partial<HandleInput>): Promise<Handle>;
    wait(ms: number): void;
  }
  const test = base.extend<{ bench: (limits?: Partial<HandleLimits>) => Promise<Bench> }>({
    bench: async ({ open }, use) => {
      const stores: HandleStore[] = [];
      await use(async (limits = {}) => {
        const { database } = await open({ driver });
        let time = START;
        const store = await createHandleStore(database, { limits: { ...LIMITS, ...limits }, now: () => time });
        stores.push(store);
        return {
          store,
          wait: (ms) => void (time += ms),
          async put(text, more) {
            const input = { owner: "me", type: "file", meta: { kind: "file_content" }, payload: Buffer.from(text) };
            const handle = await store.create({ ...input, ...more });
            if (handle === null) throw new Error("the store did not take it");
            return handle;
          },
        };
      });
      await Promise.all(stores.map((store) => store.close()));
    },
  });
  const sliceOf = async (store: HandleStore, id: string) =>
    (await store.readSlice("me", id, 0, 20 * MiB)).data.toString();

  test("keeps a payload and tells what it is", async ({ bench }) => {
    const { store } = await bench();
    const payload = Buffer.from("one\ntwo\n");
    const meta = { kind: "file_content", path: "/a\n\u2028", root: "/" };
    const handle = await store.create({ owner: "me", type: "srch", meta, payload });
    const expected = {
      id: expect.stringMatching(/^H_srch_20251201T180000Z_[a-z2-7]{20}$/),
      type: "srch",
      createdAt: "2025-12-01T18:00:00.123Z",
      expiresAt: "2025-12-02T18:00:00.123Z",
      size: 8,
      sha256: createHash("sha256").update(payload).digest("hex"),
      meta,
    };
    expect(handle).toEqual(expected);
    const { id } = handle!;
    expect(await store.get("me", id)).toEqual(handle);
    expect(await store.readSlice("me", id, 4, 100)).toEqual({
      data: Buffer.from("two\n"),
      offset: 4,
      totalBytes: 8,
      handle,
    });
  });

  test("gives no two handles the same id", async ({ bench }) => {
    const { put } = await bench();
    const ids = await Promise.all(Array.from({ length: 200 }, async () => (await put("x")).id));
    expect(new Set(ids).size).toBe(200);
  });

  test("gives each handle of an owner a short name of its own, which does wherever the id does", async ({ bench }) => {
    const { put, store, wait } = await bench();
    const handles = await Promise.all(Array.from({ length: 3000 }, (_, at) => put(String(at))));
    const names = handles.map(({ id }) => shortName(id));
    expect(new Set(names).size).toBe(3000);
    expect(names[7]).toMatch(/^h\d{6}$/);
    const name = names[7]!;
    expect(await store.get("me", name)).toEqual(handles[7]);
    expect(await sliceOf(store, name)).toBe("7");
    await expect(store.get("another", name)).rejects.toThrow(HandleNotFoundError);
    expect(await store.delete("another", name)).toBe(false);
    expect(await store.delete("me", name)).toBe(true);
    await expect(store.get("me", name)).rejects.toThrow(HandleNotFoundError);
    wait(25 * HOUR);
    await store.sweep();
    await expect(store.get("me", names[8]!)).rejects.toThrow(HandleExpiredError);
  });

  test("does not change with the caller's buffer", async ({ bench }) => {
    const { store, put } = await bench();
    const payload = Buffer.from("before");
    const { id } = await put("", { payload });
    payload.fill("x");
    const slice = await store.readSlice("me", id, 0, 6);
    slice.data.fill("y");
    expect(await sliceOf(store, id)).toBe("before");
  });

  test("keeps an empty payload", async ({ bench }) => {
    const { store, put } = await bench();
    const handle = await put("");
    expect(await store.readSlice("me", handle.id, 0, 10)).toEqual({
      data: Buffer.alloc(0),
      offset: 0,
      totalBytes: 0,
      handle,
    });
  });

  test("reads nothing at and beyond the end", async ({ bench }) => {
    const { store, put } = await bench();
    const { id } = await put("four");
    const lengths = [4, 5, 1e12].map(async (at) => (await store.readSlice("me", id, at, 1)).data.length);
    expect(await Promise.all(lengths)).toEqual([0, 0, 0]);
  });

  test.for([
    [-1, 1],
    [0.5, 1],
    [0, -1],
    [0, Number.NaN],
    [Number.MAX_VALUE, 1],
  ])("refuses offset %d with limit %d", async ([offset, limit], { bench }) => {
    const { store, put } = await bench();
    const { id } = await put("four");
    await expect(store.readSlice("me", id, offset!, limit!)).rejects.toThrow(InvalidArgumentError);
  });

  test("keeps 16 MiB byte for byte", async ({ bench }) => {
    const { store } = await bench();
    const payload = randomBytes(16 * MiB);
    const handle = await store.create({ owner: "me", type: "file", meta: { kind: "file_content" }, payload });
    const { data } = await store.readSlice("me", handle!.id, 0, 16 * MiB);
    expect(data.equals(payload)).toBe(true);
  });

  test("takes no payload above the limit, and says so with null", async ({ bench }) => {
    const { store } = await bench({ maxPayloadBytes: 4 });
    const input = { owner: "me", type: "file", meta: { kind: "file_content" } };
    expect(await store.create({ ...input, payload: Buffer.alloc(5) })).toBeNull();
    expect(await store.create({ ...input, payload: Buffer.alloc(4) })).toMatchObject({ size: 4 });
  });

  test("takes no payload that is larger than all it may hold", async ({ bench }) => {
    const { store, put } = await bench({ maxTotalBytes: 4 });
    const { id } = await put("four");
    const input = { owner: "me", type: "file", meta: { kind: "file_content" } };
    expect(await store.create({ ...input, payload: Buffer.alloc(5) })).toBeNull();
    expect(await sliceOf(store, id)).toBe("four");
  });

  test.for(["", "File", "a-b", "a/b", "../x", "1a", "x".repeat(33)])("refuses the type %j", async (type, { bench }) => {
    const { put } = await bench();
    await expect(put("x", { type })).rejects.toThrow(InvalidArgumentError);
  });

  test("refuses a meta without bounds", async ({ bench }) => {
    const { put } = await bench();
    const meta = { kind: "file_content", path: "p".repeat(40_000) };
    await expect(put("x", { meta })).rejects.toThrow(InvalidArgumentError);
  });

  test("does not start for a call that was cancelled", async ({ bench }) => {
    const { store, put } = await bench();
    await expect(put("x", { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await store.list("me", { limit: 9 })).toEqual([]);
  });

  describe("ownership", () => {
    test("says the same of another's handle as of one that never was", async ({ bench }) => {
      const { store, put } = await bench();
      const { id } = await put("secret");
      const never = id.replace(/.{20}$/, "a".repeat(20));
      const answer = async (work: Promise<unknown>) => {
        const error = OpsError.from(await work.catch((thrown: unknown) => thrown));
        return { ...error.toEnvelope("c"), message: error.message.replaceAll(id, "ID").replaceAll(never, "ID") };
      };
      const calls = (which: string) => [
        store.get("other", which),
        store.readSlice("other", which, 0, 1),
        store.readSlice("other", which, 99, 1),
      ];
      const expected = {
        code: "HANDLE_NOT_FOUND",
        message: "There is no handle ID",
        hint: expect.any(String),
        correlation_id: "c",
      };
      const answers = await Promise.all([...calls(id), ...calls(never)].map(answer));
      expect(answers).toEqual(answers.map(() => expected));
      expect(await store.delete("other", id)).toBe(false);
      expect(await store.list("other", { limit: 9 })).toEqual([]);
      expect(await sliceOf(store, id)).toBe("secret");
    });

    test("keeps another's eviction a secret", async ({ bench }) => {
      const { store, put } = await bench({ maxTotalBytes: 4 });
      const { id } = await put("one");
      await put("two");
      await expect(store.get("other", id)).rejects.toThrow(HandleNotFoundError);
    });

    test("does not give a file's handle to another owner", async ({ bench }) => {
      const { store, put } = await bench();
      const mine = await put("abc", { source: SETTLED });
      expect(await store.findBySource("other", SOURCE)).toBeNull();
      const theirs = await put("abc", { source: SETTLED, owner: "other" });
      expect(theirs.id).not.toBe(mine.id);
    });
  });

  test.for([
    "",
    "H_file",
    "H_file_20251201T180000Z_aaaaaaaaaaaaaaaaaaa",
    "H_file_20251201T180000Z_AAAAAAAAAAAAAAAAAAAA",
    "H_file_20251201T180000Z_aaaaaaaaaaaaaaaaaaaa\n",
    "H_file_20251201T180000Z_aaaaaaaaaaaaaaaaaaaa' OR 1=1 --",
    "\u001B[31m".repeat(1000),
  ])("finds nothing under what is no id: %j", async (id, { bench }) => {
    const { store } = await bench();
    const error = await store.get("me", id).catch((thrown: unknown) => thrown as Error);
    expect(error).toBeInstanceOf(HandleNotFoundError);
    const { message } = error as Error;
    expect(message.length).toBeLessThan(600);
    // oxlint-disable-next-line no-control-regex -- that none is in it is the point
    expect(message).not.toMatch(/[\u0000-\u001F]/);
    expect(await store.delete("me", id)).toBe(false);
  });

  test("deletes once, and knows nothing of it afterwards", async ({ bench }) => {
    const { store, put } = await bench();
    const { id } = await put("x".repeat(MiB));
    expect([await store.delete("me", id), await store.delete("me", id)]).toEqual([true, false]);
    await expect(store.get("me", id)).rejects.toThrow(HandleNotFoundError);
  });

  test("makes no room for a deleted payload a second time", async ({ bench }) => {
    const { store, put } = await bench({ maxTotalBytes: 10 });
    const first = await put("12345");
    const second = await put("12345");
    await store.delete("me", first.id);
    await put("12345");
    expect(await sliceOf(store, second.id)).toBe("12345");
  });

  test("lists newest first, page by page, also when the last of a page is gone", async ({ bench }) => {
    const { store, put, wait } = await bench();
    const made: Handle[] = [];
    for (const text of ["a", "b", "c", "d", "e"]) {
      made.unshift(await put(text));
      wait(1);
    }
    await put("theirs", { owner: "other" });
    const first = await store.list("me", { limit: 2 });
    await store.delete("me", first[1]!.id);
    const second = await store.list("me", { limit: 2, before: first[1] });
    const third = await store.list("me", { limit: 2, before: second[1] });
    expect([...first, ...second, ...third]).toEqual(made);
  });

  test("lists handles of the same millisecond without losing one", async ({ bench }) => {
    const { store, put } = await bench();
    const made = await Promise.all(["a", "b", "c", "d", "e"].map((text) => put(text)));
    const seen: Handle[] = [];
    for (let page = await store.list("me", { limit: 2 }); page.length > 0;) {
      seen.push(...page);
      page = await store.list("me", { limit: 2, before: page.at(-1) });
    }
    expect(seen.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  });

  test.for([0, -1, 1.5, 1001])("refuses a page of %d", async (limit, { bench }) => {
    const { store } = await bench();
    await expect(store.list("me", { limit })).rejects.toThrow(InvalidArgumentError);
  });

  describe("age", () => {
    test("ends a handle to the millisecond", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxAgeHours: 1 });
      const { id } = await put("abc", { source: SETTLED });
      wait(HOUR - 1);
      expect(await sliceOf(store, id)).toBe("abc");
      wait(1);
      await expect(store.get("me", id)).rejects.toThrow(HandleExpiredError);
      await expect(store.readSlice("me", id, 0, 1)).rejects.toThrow(HandleExpiredError);
      expect(await store.list("me", { limit: 9 })).toEqual([]);
      expect(await store.findBySource("me", SOURCE)).toBeNull();
    });

    test("is still told apart from nothing after a sweep", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxAgeHours: 1 });
      const handles = await Promise.all(Array.from({ length: 150 }, () => put("abc")));
      wait(HOUR);
      const young = await put("young");
      const before = await Promise.allSettled(handles.map(({ id }) => store.get("me", id)));
      await store.sweep();
      expect(await store.sweep()).toEqual({ expired: 0, evicted: 0 });
      const after = await Promise.allSettled(handles.map(({ id }) => store.get("me", id)));
      expect(after).toEqual(before);
      expect(after[149]).toMatchObject({ reason: { code: "HANDLE_EXPIRED" } });
      expect(await store.list("me", { limit: 9 })).toEqual([young]);
    });

    test("is what a sweep counts", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxAgeHours: 1 });
      for (let made = 0; made < 150; made += 1) await put("abc");
      wait(HOUR);
      expect(await store.sweep()).toEqual({ expired: 150, evicted: 0 });
    });
  });

  describe("total bytes", () => {
    test("make room oldest first", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxTotalBytes: 10 });
      const made: Handle[] = [];
      for (const text of ["aaaa", "bbbb", "cc"]) {
        made.push(await put(text));
        wait(1);
      }
      await put("d");
      const states = await Promise.allSettled(made.map(({ id }) => store.get("me", id)));
      expect(states.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
      expect(states[0]).toMatchObject({ reason: { code: "HANDLE_EXPIRED" } });
    });

    test("hold for all owners together", async ({ bench }) => {
      const { store, put } = await bench({ maxTotalBytes: 10 });
      const { id } = await put("12345678", { owner: "other" });
      await put("12345678");
      await expect(store.get("other", id)).rejects.toThrow(HandleExpiredError);
    });

    test("make room for one large payload by many small ones", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxTotalBytes: 300 });
      for (let made = 0; made < 300; made += 1) await put("x");
      wait(1);
      const large = await put("y".repeat(298));
      expect((await store.list("me", { limit: 9 })).map(({ size }) => size)).toEqual([298, 1, 1]);
      expect(await store.get("me", large.id)).toEqual(large);
    });
  });

  describe("the same unchanged file", () => {
    test("has one handle, whose life starts again", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxAgeHours: 1, maxTotalBytes: 5 });
      const first = await put("abc", { source: SETTLED });
      wait(HOUR / 2);
      const again = await put("abc", { source: SETTLED });
      expect(again).toEqual({ ...first, expiresAt: new Date(START + 1.5 * HOUR).toISOString() });
      wait(HOUR - 1);
      expect(await store.list("me", { limit: 9 })).toEqual([again]);
    });

    test("is found without being read", async ({ bench }) => {
      const { store, put } = await bench();
      const handle = await put("abc", { source: SETTLED });
      expect(await store.findBySource("me", SOURCE)).toEqual(handle);
    });

    test("is renewed by being found in the second half of its life", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxAgeHours: 1 });
      const handle = await put("abc", { source: SETTLED });
      wait(HOUR / 2);
      expect(await store.findBySource("me", SOURCE)).toEqual(handle);
      wait(1);
      const renewed = { ...handle, expiresAt: new Date(START + 1.5 * HOUR + 1).toISOString() };
      expect(await store.findBySource("me", SOURCE)).toEqual(renewed);
      expect(await store.get("me", handle.id)).toEqual(renewed);
    });

    test("once used again is not the oldest any more", async ({ bench }) => {
      const { store, put, wait } = await bench({ maxTotalBytes: 10 });
      const used = await put("aaaa", { source: SETTLED });
      wait(1);
      const idle = await put("bbbb");
      wait(1);
      await put("aaaa", { source: SETTLED });
      await put("cccc");
      expect(await sliceOf(store, used.id)).toBe("aaaa");
      await expect(store.get("me", idle.id)).rejects.toThrow(HandleExpiredError);
    });

    test.for(["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const)(
      "is another one with another %s",
      async (field, { bench }) => {
        const { store, put } = await bench();
        const first = await put("abc", { source: SETTLED });
        const changed = { ...SOURCE, [field]: SOURCE[field] - 1n };
        expect(await store.findBySource("me", changed)).toBeNull();
        expect((await put("abc", { source: { ...changed, readAtMs: START } })).id).not.toBe(first.id);
      },
    );

    test("is not known yet when it changed less than two seconds before it was read", async ({ bench }) => {
      const { store, put } = await bench();
      const ctimeMs = Number(SOURCE.ctimeNs / 1_000_000n);
      const first = await put("abc", { source: { ...SOURCE, readAtMs: ctimeMs + 1999 } });
      expect(await store.findBySource("me", SOURCE)).toBeNull();
      const second = await put("abc", { source: { ...SOURCE, readAtMs: ctimeMs + 2000 } });
      expect(second.id).not.toBe(first.id);
      expect(await store.findBySource("me", SOURCE)).toEqual(second);
    });

    test("with other content is kept anew, and the old handle keeps the old content", async ({ bench }) => {
      const { store, put } = await bench();
      const old = await put("abc", { source: SETTLED });
      expect(await store.findBySource("me", SOURCE)).toEqual(old);
      const changed = await put("xyz", { source: SETTLED });
      expect(await store.findBySource("me", SOURCE)).toEqual(changed);
      expect([await sliceOf(store, old.id), await sliceOf(store, changed.id)]).toEqual(["abc", "xyz"]);
    });

    test("is not found any more after a delete that met the lookup", async ({ bench }) => {
      const { store, put } = await bench();
      const { id } = await put("abc", { source: SETTLED });
      await Promise.all([store.findBySource("me", SOURCE), store.delete("me", id)]);
      expect(await store.findBySource("me", SOURCE)).toBeNull();
    });

    test("has a new handle when the old one was deleted or aged out", async ({ bench }) => {
      const { store, put, wait } = await bench();
      const first = await put("abc", { source: SETTLED });
      expect(await store.findBySource("me", SOURCE)).toEqual(first);
      await store.delete("me", first.id);
      expect(await store.findBySource("me", SOURCE)).toBeNull();
      const second = await put("abc", { source: SETTLED });
      wait(25 * HOUR);
      const third = await put("abc", { source: SETTLED });
      expect(new Set([first.id, second.id, third.id]).size).toBe(3);
      expect(await sliceOf(store, third.id)).toBe("abc");
    });
  });

  test("answers with one clear error after its database was closed", async ({ open }) => {
    const { database } = await open({ driver });
    const store = await createHandleStore(database, { limits: LIMITS });
    await database.close();
    await expect(store.list("me", { limit: 1 })).rejects.toMatchObject({ code: "ENGINE_UNAVAILABLE" });
    await store.close();
  });
});
