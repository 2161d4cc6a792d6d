import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshPlace, runToEnd, startServer, type Place } from "./processes.js";

interface Case {
  readonly what: string;
  readonly args: (place: Place) => readonly string[] | Promise<readonly string[]>;
  readonly says: RegExp;
}

const busyPort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

const file = async ({ home }: Place, name: string, content: string) => {
  const path = join(home, name);
  await writeFile(path, content);
  return path;
};

test.each<Case>([
  { what: "an unknown flag", args: () => ["--prot", "1"], says: /unknown flag "--prot"; did you mean --port\?/ },
  { what: "an unknown short flag", args: () => ["-x"], says: /unknown flag "-x"/ },
  { what: "a flag without its value", args: () => ["--root"], says: /--root needs a value: DIR/ },
  { what: "a flag that swallowed the next one", args: () => ["--root", "--read-only"], says: /--root needs a value/ },
  { what: "a value for a switch", args: () => ["--read-only=yes"], says: /--read-only takes no value/ },
  {
    what: "an unknown command",
    args: () => ["confg", "print"],
    says: /unknown command "confg print"; did you mean config print/,
  },
  { what: "a port that is none", args: () => ["--port", "80x"], says: /--port "80x": a port is a number/ },
  { what: "an unknown key", args: () => ["--set", "mcp.tools.nmaes=auto"], says: /mcp\.tools\.names/ },
  {
    what: "a config file that is missing",
    args: () => ["--config", "/no/such/llmc.toml"],
    says: /\/no\/such\/llmc\.toml.*does not exist/,
  },
  {
    what: "broken TOML",
    args: async (place) => ["--config", await file(place, "bad.toml", "[mcp]\nenabled = maybe\n")],
    says: /bad\.toml:2/,
  },
  {
    what: "no root that exists",
    args: ({ home }) => ["--root", join(home, "gone")],
    says: /--root \/\S+\/gone: no such folder$/,
  },
  {
    what: "a data dir that cannot be written",
    args: async (place) => ["--data-dir", join(await file(place, "file", ""), "state")],
    says: /the data dir .* cannot be written \(ENOTDIR\)/,
  },
  {
    what: "a data dir below /proc",
    args: () => ["--data-dir", "/proc/llmc/state"],
    says: /the data dir \/proc\/llmc\/state cannot be written/,
  },
  {
    what: "a port that was asked for and is in use",
    args: async () => ["--port", String(await busyPort())],
    says: /port \d+ on 127\.0\.0\.1 is in use/,
  },
  {
    what: "an address of another machine",
    args: () => ["--host", "192.0.2.1", "--set", "mcp.auth.token=0123456789abcdef"],
    says: /192\.0\.2\.1 is no address of this machine/,
  },
  { what: "an open address without a token", args: () => ["--host", "0.0.0.0"], says: /0\.0\.0\.0 .*LLMC_MCP_TOKEN/ },
  {
    what: "a certificate that is missing",
    args: () => [
      "--set",
      "mcp.server.tls_enabled=true",
      "--set",
      "mcp.server.tls_cert=/no/cert.pem",
      "--set",
      "mcp.server.tls_key=/no/key.pem",
    ],
    says: /mcp\.server\.tls_cert: \/no\/cert\.pem cannot be read \(ENOENT\)/,
  },
])("$what is refused in one line with exit code 2", async ({ args, says }) => {
  const place = await freshPlace();
  const { code, stdout, stderr } = await runToEnd({ home: place.home, args: await args(place) });
  // Log lines are for machines; what is left is for whoever started the server.
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect({ code, stdout, lines }).toEqual({ code: 2, stdout: "", lines: [expect.stringMatching(says)] });
  expect(lines[0]).toMatch(/^llmc-mcp-http: /);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("mcp.enabled = false ends the start with one line and exit code 0", async () => {
  const { home } = await freshPlace();
  expect(await runToEnd({ home, args: ["--set", "mcp.enabled=false"] })).toEqual({
    code: 0,
    stdout: "",
    stderr: "llmc-mcp-http: mcp.enabled is false, so nothing is served\n",
  });
});

test("--help and --version answer on stdout and open nothing", async () => {
  const { home } = await freshPlace();
  const help = await runToEnd({ home, args: ["--help"] });
  expect(help).toMatchObject({ code: 0, stderr: "" });
  for (const part of ["Usage: llmc-mcp-http", "--root DIR", "--new-token", "$LLMC_CONFIG", "Examples:"]) {
    expect(help.stdout).toContain(part);
  }
  const version = await runToEnd({ home, args: ["--version"] });
  expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/), stderr: "" });
});

test("config print shows what is in effect and no secret", async () => {
  const { home, root } = await freshPlace();
  await mkdir(join(home, ".config", "llmc"), { recursive: true });
  await writeFile(join(home, ".config", "llmc", "llmc.toml"), '[mcp.auth]\ntoken = "secret-secret-secret"\n');
  const { code, stdout } = await runToEnd({
    home,
    args: ["config", "print", "--root", root, "--set", "mcp.tools.names=dotted"],
  });
  expect(code).toBe(0);
  expect(stdout).toContain('names = "dotted"');
  expect(stdout).toContain(root);
  expect(stdout).not.toContain("secret-secret-secret");
});

test("the default port, when taken, gives the next free one, and that is said", async () => {
  const { home, root } = await freshPlace();
  const blocker = createServer();
  // Where somebody else holds it already, that is as good.
  await new Promise<void>((resolve) => blocker.once("error", () => resolve()).listen(8080, "127.0.0.1", resolve));
  onTestFinished(() => void blocker.close());
  const running = await startServer({
    home,
    args: ["--root", root, "--set", "mcp.server.allowed_hosts=x"],
    defaultPort: true,
  });
  expect(running.port).toBeGreaterThan(8080);
  expect(running.screen()).toContain("Port 8080 is taken");
});
