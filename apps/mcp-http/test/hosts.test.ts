import fc from "fast-check";
import { expect, test } from "vitest";
import { createHostCheck, type HostRules } from "../src/request/hosts.js";

const LOCAL: HostRules = { host: "127.0.0.1", allowedHosts: [], allowedOrigins: [] };
const OPEN: HostRules = { host: "0.0.0.0", allowedHosts: ["Box.lan", "10.0.0.9:8080"], allowedOrigins: [] };

function verdict(
  rules: HostRules,
  host: string,
  { origin, localAddress }: { origin?: string; localAddress?: string } = {},
) {
  try {
    const rawHeaders = ["Host", host, ...(origin === undefined ? [] : ["Origin", origin])];
    createHostCheck(rules)({ rawHeaders, localAddress });
    return "ours";
  } catch (thrown) {
    return (thrown as { code: string }).code;
  }
}

test.each<[rules: HostRules, host: string, localAddress: string | undefined, expected: string]>([
  [LOCAL, "localhost", undefined, "ours"],
  [LOCAL, "localhost.", undefined, "ours"],
  [LOCAL, "127.0.0.1:8080", undefined, "ours"],
  [LOCAL, "127.8.9.1", undefined, "ours"],
  [LOCAL, "[::1]:8080", undefined, "ours"],
  [LOCAL, "127.0.0.1.evil.example", undefined, "FORBIDDEN"],
  [LOCAL, "evil.example:127", undefined, "FORBIDDEN"],
  [LOCAL, "192.168.1.5", "192.168.1.5", "FORBIDDEN"],
  [LOCAL, "", undefined, "BAD_ARGS"],
  [LOCAL, "localhost:80:80", undefined, "BAD_ARGS"],
  [LOCAL, "user@localhost", undefined, "BAD_ARGS"],
  [LOCAL, "localhost/evil", undefined, "BAD_ARGS"],
  [LOCAL, "localhost, evil.example", undefined, "BAD_ARGS"],
  [OPEN, "192.168.1.5:8080", "192.168.1.5", "ours"],
  [OPEN, "192.168.1.5:8080", "::ffff:192.168.1.5", "ours"],
  [OPEN, "[fe80::1]", "fe80::1%eth0", "ours"],
  [OPEN, "192.168.1.6:8080", "192.168.1.5", "FORBIDDEN"],
  [OPEN, "0.0.0.0:8080", "127.0.0.1", "FORBIDDEN"],
  [OPEN, "box.LAN", "192.168.1.5", "ours"],
  [OPEN, "10.0.0.9", "192.168.1.5", "ours"],
])("%j, asked for %j at %s: %s", (rules, host, localAddress, expected) => {
  expect(verdict(rules, host, localAddress === undefined ? {} : { localAddress })).toBe(expected);
});

test.each([
  ["http://localhost:3000", "ours"],
  ["https://127.0.0.1", "ours"],
  ["https://evil.example", "FORBIDDEN"],
  ["http://localhost.evil.example", "FORBIDDEN"],
  ["http://user:secret@localhost", "FORBIDDEN"],
  ["null", "FORBIDDEN"],
  ["", "FORBIDDEN"],
  ["localhost", "FORBIDDEN"],
  ["chrome-extension://localhost", "FORBIDDEN"],
])("a page of %j is %s", (origin, expected) => {
  expect(verdict(LOCAL, "localhost", { origin })).toBe(expected);
});

test("an allowed origin is compared whole", () => {
  const rules = { ...LOCAL, allowedOrigins: ["https://app.lan:8443/"] };
  expect(verdict(rules, "localhost", { origin: "https://App.lan:8443" })).toBe("ours");
  expect(verdict(rules, "localhost", { origin: "https://app.lan" })).toBe("FORBIDDEN");
});

test("no name outside the list is ever ours, however it is written", () => {
  const foreign = fc.domain().filter((name) => name !== "localhost");
  fc.assert(
    fc.property(foreign, fc.option(fc.nat(65_535), { nil: undefined }), (name, port) => {
      expect(verdict(LOCAL, port === undefined ? name : `${name}:${port}`)).not.toBe("ours");
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(["ours", "FORBIDDEN", "BAD_ARGS"]).toContain(verdict(LOCAL, text));
    }),
  );
});
