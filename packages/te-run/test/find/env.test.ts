import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildEnv } from "../../src/index.js";

const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

const ALLOWED = {
  LANG: "C.UTF-8",
  LC_ALL: "C",
  LC_MESSAGES: "de_AT.UTF-8",
  TZ: "Europe/Vienna",
  TERM: "xterm",
  COLORTERM: "truecolor",
  http_proxy: "http://p:1",
  https_proxy: "http://p:2",
  no_proxy: "localhost",
  HTTP_PROXY: "http://p:3",
  HTTPS_PROXY: "http://p:4",
  NO_PROXY: "127.0.0.1",
  SSL_CERT_FILE: "/etc/ssl/cert.pem",
  NODE_EXTRA_CA_CERTS: "/etc/ssl/extra.pem",
};

test("the names that say where and how a program runs are taken over", () => {
  expect(buildEnv(ALLOWED)).toEqual({ PATH: SYSTEM_PATH, ...ALLOWED });
});

test("what changes a program's behaviour, or is a secret, is not taken over", () => {
  const hostile = `LD_PRELOAD LD_LIBRARY_PATH GCONV_PATH GLIBC_TUNABLES NODE_OPTIONS GIT_DIR GIT_CONFIG_COUNT ENV BASH_ENV
    BASH_FUNC_ls%% PS4 SHELLOPTS PROMPT_COMMAND PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT JAVA_TOOL_OPTIONS LESSOPEN EDITOR
    PAGER RIPGREP_CONFIG_PATH TAR_OPTIONS LLMC_TOKEN AWS_SECRET_ACCESS_KEY HOME SSH_AUTH_SOCK LOCPATH LC_lower XLANG`;
  const base = Object.fromEntries(hostile.split(/\s+/).map((name) => [name, "x"]));
  expect(buildEnv(base)).toEqual({ PATH: SYSTEM_PATH });
});

test("the PATH is the system's, whatever ours is", () => {
  expect(buildEnv({ PATH: ".:/tmp/evil::/usr/bin" })).toEqual({ PATH: SYSTEM_PATH });
});

test("a PATH of our own choice loses its empty and relative entries", () => {
  expect(buildEnv({}, { PATH: ":/opt/a/bin:.:bin::/opt/b/bin:" })).toEqual({ PATH: "/opt/a/bin:/opt/b/bin" });
  expect(buildEnv({}, { PATH: ".:bin:" })).toEqual({ PATH: SYSTEM_PATH });
});

test("our own additions win and are not filtered", () => {
  expect(buildEnv({ LANG: "de_AT" }, { LANG: "C", GIT_CONFIG_GLOBAL: "/dev/null" })).toEqual({
    PATH: SYSTEM_PATH,
    LANG: "C",
    GIT_CONFIG_GLOBAL: "/dev/null",
  });
});

test.each([
  ["a NUL in a value", { A: "x\0y" }],
  ["a NUL in a name", { "A\0B": "x" }],
  ["= in a name", { "A=B": "x" }],
  ["an empty name", { "": "x" }],
])("%s is refused, since it would forge another variable", (_, extra) => {
  expect(() => buildEnv({}, extra)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test("no base whatever adds a name that is not on the list", () => {
  const allowed = new Set(["PATH", ...Object.keys(ALLOWED)]);
  const name = fc.oneof(fc.string(), fc.constantFrom("PATH", "LD_PRELOAD", "lc_all", "LANGUAGE", "LC_", "__proto__"));
  fc.assert(
    fc.property(
      fc.dictionary(
        name,
        fc.string().map((value) => value.replaceAll("\0", "")),
      ),
      (base) => {
        const strange = Object.keys(buildEnv(base)).filter((key) => !allowed.has(key) && !/^LC_[A-Z]+$/.test(key));
        expect(strange).toEqual([]);
      },
    ),
  );
});
