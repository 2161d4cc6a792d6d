import { expect, test } from "vitest";
import * as api from "../src/index.js";
import {
  CODES,
  HalfDoneError,
  NotFoundError,
  OutsideRootsError,
  OpsError,
  PatchCountMismatchError,
  PermissionDeniedError,
  RateLimitedError,
  ShaMismatchError,
  several,
} from "../src/index.js";

// contracts section 3, written out: a status is part of what callers rely on.
const STATUS = {
  INVALID_PATH: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  NOT_A_DIRECTORY: 409,
  IS_DIRECTORY: 409,
  UNSUPPORTED_CONTENT: 415,
  PERMISSION_DENIED: 403,
  SHA_MISMATCH: 409,
  STALE_FILE: 409,
  WRITE_FAILED: 500,
  OUTPUT_TOO_LARGE: 413,
  TOO_LARGE: 413,
  PATCH_COUNT_MISMATCH: 409,
  PATCH_FAILED: 409,
  COMMAND_NOT_ALLOWED: 403,
  TIMEOUT: 504,
  CANCELLED: 499,
  PROCESS_NOT_FOUND: 404,
  KILL_FORBIDDEN: 403,
  PROC_LIMIT: 429,
  HANDLE_NOT_FOUND: 404,
  HANDLE_EXPIRED: 410,
  FEATURE_DISABLED: 403,
  INVALID_ARGUMENT: 422,
  BAD_ARGS: 422,
  AUTH_FAILED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  ENGINE_UNAVAILABLE: 503,
  INTERNAL: 500,
  LINUXOPS_ERROR: 500,
};

test("each code keeps its HTTP status", () => {
  expect(Object.fromEntries(Object.entries(CODES).map(([code, { status }]) => [code, status]))).toEqual(STATUS);
});

test("each meaning is one short sentence", () => {
  for (const { meaning } of Object.values(CODES)) expect(meaning).toMatch(/^[A-Z][^\n]{10,90}\.$/);
});

test("an error's envelope carries code, message, hint, details and the correlation id, and leaves out what is not there", () => {
  expect(new NotFoundError("/a").toEnvelope("c")).toEqual({
    code: "NOT_FOUND",
    message: "/a does not exist",
    correlation_id: "c",
  });
  expect(new RateLimitedError("8 are running", 1500).toEnvelope("c")).toEqual({
    code: "RATE_LIMITED",
    message: "Too many calls: 8 are running",
    hint: "Try again in 2 s.",
    retry_after_ms: 1500,
    correlation_id: "c",
  });
});

test("a remedy stands for the hint, and no envelope has it, until a surface has put it into words", () => {
  const error = new OutsideRootsError("/x", "/a b", "/c");
  expect([error.hint, error.remedy]).toEqual([undefined, { id: "inside-roots", roots: ["/a b", "/c"] }]);
  expect(error.advice).toBe(error.remedy);
  expect(error.toEnvelope("c")).not.toHaveProperty("hint");
  error.word({ hint: "Stay inside." });
  expect([error.hint, error.remedy, error.advice]).toEqual(["Stay inside.", undefined, "Stay inside."]);
  expect(error.toEnvelope("c")).toMatchObject({ message: "/x is outside the allowed roots", hint: "Stay inside." });
  expect(error).toBeInstanceOf(OutsideRootsError);
});

test("a surface's message replaces the error's own, however long, and keeps how far work came", () => {
  const refused = new ShaMismatchError("/a", "0f");
  const half = new HalfDoneError(refused, "3 of 9 are gone", {});
  expect(half.remedy).toEqual({ id: "expect-content", path: "/a", sha256: "0f" });
  half.word({ message: "/a is not that file", hint: "Read it." });
  expect([half.message, half.hint]).toEqual(["/a is not that file; 3 of 9 are gone", "Read it."]);
  refused.word({ message: "x".repeat(10_000), hint: "Read it." });
  expect(refused.message.length).toBeLessThan(700);
});

test("work that ended half-way keeps the code and hint of what ended it, and says how far it came", () => {
  const error = new HalfDoneError(new PermissionDeniedError("/a/b", { hint: "Ask." }), "3 of 9 are gone", {
    removed: 3,
  });
  expect(error.toEnvelope("c")).toEqual({
    code: "PERMISSION_DENIED",
    message: "No permission for /a/b; 3 of 9 are gone",
    hint: "Ask.",
    removed: 3,
    correlation_id: "c",
  });
  expect(new HalfDoneError(new Error("disk on fire"), "3 are gone", {}).toEnvelope("c")).toMatchObject({
    code: "INTERNAL",
    message: "Unexpected failure; 3 are gone",
  });
});

test("an error of another copy of this package is recognised by its brand", () => {
  const stranger = { code: "NOT_FOUND", message: "x", [Symbol.for("llmc.ops-error")]: true };
  expect(OpsError.from(stranger)).toBe(stranger);
});

test.for([new Error("disk on fire"), "text", null, undefined])(
  "%s thrown becomes INTERNAL and shows nothing of it",
  (thrown) => {
    const error = OpsError.from(thrown);
    expect(error.toEnvelope("c")).toEqual({
      code: "INTERNAL",
      message: "Unexpected failure",
      hint: "The server's log has the cause under this correlation id.",
      correlation_id: "c",
    });
    expect(error.cause).toBe(thrown === undefined ? undefined : thrown);
  },
);

test("every exported class is an OpsError with a code of the table", () => {
  const classes = Object.entries(api).filter(([name]) => /^[A-Z].*Error$/.test(name) && name !== "OpsError");
  for (const [name, Class] of classes) {
    const error = new (Class as new (...facts: unknown[]) => OpsError)("x", "y", "z");
    expect(OpsError.is(error) && error.code in CODES && error.name === name).toBe(true);
  }
});

test("a patch that does not fit says how often its text occurs, and which edit it is", () => {
  const count = { path: "/a", edit: 2, found: 3, expected: 1 };
  expect(new PatchCountMismatchError(count, { hint: "Do.", details: { lines: [1, 2, 3] } }).toEnvelope("c")).toEqual({
    code: "PATCH_COUNT_MISMATCH",
    message: "edit 2: the text to replace occurs 3 times in /a, not once",
    found: 3,
    expected: 1,
    edit: 2,
    lines: [1, 2, 3],
    correlation_id: "c",
  });
  const missing = { path: "/a", found: 0, expected: 2 };
  const single = new PatchCountMismatchError(missing, { more: ". Closest line 6: x", hint: "Do." });
  const says = "is not in /a. Closest line 6: x";
  expect(single.remedy).toEqual({ id: "text-to-replace", says, advice: "Do." });
  expect({ message: single.message, details: single.details }).toEqual({
    message: "the text to replace is not in /a. Closest line 6: x",
    details: { found: 0, expected: 2 },
  });
  const other = new PatchCountMismatchError(missing, { says: "fits 2 places", hint: "Do." });
  expect(other.message).toBe("the text to replace fits 2 places");
});

test("several advices are one text, unless one of them has to be worded", () => {
  expect(several("Look.", "Then leap.")).toBe("Look. Then leap.");
  expect(several("Look.", { id: "free-space" })).toEqual({ id: "several", of: ["Look.", { id: "free-space" }] });
});
