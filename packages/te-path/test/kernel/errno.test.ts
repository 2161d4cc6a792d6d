import { NotFoundError } from "@llmc/errors";
import { expect, test } from "vitest";
import { fromChangeErrno, fromErrno } from "../../src/kernel/errno.js";

test.for([
  ["ENOENT", "NOT_FOUND", "/p does not exist"],
  ["ENOTDIR", "NOT_A_DIRECTORY", "/p is a file, not a folder"],
  ["EACCES", "PERMISSION_DENIED", "No permission for /p"],
  ["EPERM", "PERMISSION_DENIED", "No permission for /p"],
  ["EAGAIN", "PERMISSION_DENIED", "No permission for /p"],
  ["ENAMETOOLONG", "INVALID_PATH", "/p has a name longer than 255 bytes"],
  ["ELOOP", "INVALID_PATH", "/p leads through too many links"],
  ["ENOTCONN", "TIMEOUT", "the mount of /p does not answer"],
  ["ESTALE", "TIMEOUT", "the mount of /p does not answer"],
] as const)("%s is %s", ([errno, code, message]) => {
  expect(fromErrno(Object.assign(new Error("raw"), { code: errno }), "/p")).toMatchObject({ code, message });
});

test("what nobody foresaw, and what is an error of ours already, stays what it is", () => {
  for (const thrown of [Object.assign(new Error("raw"), { code: "EIO" }), new NotFoundError("/q"), null, "text"]) {
    expect(fromErrno(thrown, "/p")).toBe(thrown);
  }
});

test.for(["EACCES", "EPERM", "EDQUOT", "EROFS", "EFBIG", "EIO", "EMLINK", "EBUSY", "ETXTBSY", "EXDEV", "ENOTSUP"])(
  "whoever is refused a change by %s is told what to do",
  (errno) => {
    const thrown = Object.assign(new Error("raw"), { code: errno });
    expect(fromChangeErrno(thrown, "/p")).toMatchObject({ hint: expect.stringMatching(/^[A-Z].*\.$/), cause: thrown });
  },
);

test("on a full disk the remedy is to free some space", () => {
  const thrown = Object.assign(new Error("raw"), { code: "ENOSPC" });
  expect(fromChangeErrno(thrown, "/p")).toMatchObject({ remedy: { id: "free-space" }, cause: thrown });
});
