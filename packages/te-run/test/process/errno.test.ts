import { expect, test } from "vitest";
import { spawnFailure } from "../../src/process/errno.js";

function failure(code: string): Error {
  return Object.assign(new Error(`spawn x ${code}`), { code, errno: -1, syscall: "spawn x" });
}

test.each([
  ["E2BIG", "INVALID_ARGUMENT", /arguments .* longer/],
  ["EACCES", "PERMISSION_DENIED", /No permission for/],
  ["EPERM", "PERMISSION_DENIED", /No permission for/],
  ["EAGAIN", "ENGINE_UNAVAILABLE", /limit of processes/],
  ["ENOMEM", "ENGINE_UNAVAILABLE", /memory/],
  ["EMFILE", "ENGINE_UNAVAILABLE", /open files/],
  ["ENFILE", "ENGINE_UNAVAILABLE", /open files/],
  ["ETXTBSY", "ENGINE_UNAVAILABLE", /being written/],
  ["ENOENT", "ENGINE_UNAVAILABLE", /cannot execute/],
  ["ENOEXEC", "ENGINE_UNAVAILABLE", /cannot execute/],
])("%s becomes %s and says what to do", async (errno, code, message) => {
  const error = await spawnFailure(failure(errno), "/usr/bin/x", "/");
  expect({ code: error.code, message: error.message, hint: error.hint }).toEqual({
    code,
    message: expect.stringMatching(message),
    hint: expect.stringMatching(/\S/),
  });
});

test("what nobody foresaw is INTERNAL and keeps its cause", async () => {
  const causes = [failure("EIO"), new TypeError("wrong"), "thrown text"];
  const errors = await Promise.all(causes.map((cause) => spawnFailure(cause, "/usr/bin/x", undefined)));
  expect(errors.map(({ code, cause }) => ({ code, cause }))).toEqual(
    causes.map((cause) => ({ code: "INTERNAL", cause })),
  );
});
