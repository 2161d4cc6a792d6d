import { EngineUnavailableError } from "@llmc/errors";
import { expect, test } from "vitest";
import { storeIfAny, type HandleStore } from "../src/index.js";

const away = () => Promise.reject(new EngineUnavailableError("The database", "its disk is full", "Make room."));

test("a store that cannot be opened is answered as none", async () => {
  expect(await storeIfAny(away)).toBeNull();
});

test("a fault of ours is not taken for a full disk", async () => {
  await expect(storeIfAny(() => Promise.reject(new TypeError("x")))).rejects.toThrow(TypeError);
});

test("a store that opens is answered as it is", async () => {
  const store = {} as HandleStore;
  expect(await storeIfAny(() => Promise.resolve(store))).toBe(store);
});
