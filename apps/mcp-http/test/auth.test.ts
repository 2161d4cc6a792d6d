import fc from "fast-check";
import { expect, test } from "vitest";
import { createAuth } from "../src/request/auth.js";

const TOKEN = "a-token-of-some-length";
const check = (headers: Readonly<Record<string, string>>) => {
  try {
    return createAuth({ token: TOKEN, header: "X-LLMC-Token" })((name) => headers[name.toLowerCase()]);
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

test.each([
  [{ authorization: `Bearer ${TOKEN}` }, "default"],
  [{ authorization: `bearer   ${TOKEN} ` }, "default"],
  [{ "x-llmc-token": TOKEN }, "default"],
  [{ authorization: "Basic dXNlcjpw", "x-llmc-token": TOKEN }, "default"],
  [{ authorization: "Bearer wrong", "x-llmc-token": TOKEN }, "default"],
  [{ authorization: `Bearer ${TOKEN} extra` }, "The token is missing"],
  [{ authorization: TOKEN }, "The token is missing"],
  [{ authorization: "Bearer " }, "The token is missing"],
  [{ "x-llmc-token": "" }, "The token is missing"],
  [{ "x-llmc-token": TOKEN.toUpperCase() }, "The token is wrong"],
  [{}, "The token is missing"],
])("%j: %s", (headers, expected) => {
  expect(check(headers)).toBe(expected);
});

test("nothing but the token itself is accepted", () => {
  const other = fc.string().filter((text) => text !== TOKEN);
  fc.assert(
    fc.property(other, (text) => {
      expect(check({ "x-llmc-token": text })).not.toBe("default");
    }),
  );
});

test("where no token is asked for, everybody is let in under one name", () => {
  expect(createAuth({ token: null, header: "X-LLMC-Token" })(() => undefined)).toBe("local");
});
