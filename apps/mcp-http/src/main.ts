#!/usr/bin/env node
// The HTTP server prints its address and token only once it listens, so that a pasted command works at once.
import { closeSync, lstatSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadOptionsOf, runProgram, runServer, StartError, UsageError, type CommandLine } from "@llmc/cli";
import { demandDataDir, isLoopback, loadConfig, resolveToken, type Settings, type Token } from "@llmc/config";
import { envelopeModule } from "@llmc/envelope";
import { linuxModule, type Services } from "@llmc/linux-ops";
import { inheritedDescriptors } from "@llmc/te-run";
import { reachableHost } from "./start/address.js";
import { PROGRAM } from "./start/program.js";
import { serveHttp } from "./serve.js";
import type { TlsFiles } from "./server/server.js";
import { createPaint, quoted, welcome, type ShownToken } from "./start/welcome.js";

const DEFAULT_PORT = 8080;
const EXAMPLES = ["README.md", "README", "README.txt", "readme.md", "package.json"];

// What a program of ours started would inherit from us, we should not have.
for (const descriptor of inheritedDescriptors()) closeSync(descriptor);

await runProgram(PROGRAM, process.argv.slice(2), serve);

async function serve(line: CommandLine): Promise<void> {
  const settings = await settingsFor(line);
  if (!settings.mcp.enabled) {
    process.stderr.write(`${PROGRAM.name}: mcp.enabled is false, so nothing is served\n`);
    return;
  }
  demandDataDir(settings.dataDir);
  const tls = tlsFiles(settings);
  const token = await resolveToken(settings, {
    loopback: isLoopback(settings.mcp.server.host),
    renew: line.has("new-token"),
  });
  if (line.has("show-token")) {
    if (token === null) throw new StartError('mcp.auth.mode is "none": there is no token');
    process.stdout.write(`${token.value}\n`);
    return;
  }

  await runServer(
    PROGRAM,
    { settings, modules: [linuxModule, envelopeModule], secrets: token === null ? [] : [token.value], isService: true },
    async ({ services, log, ending, ...told }) => {
      const { driver } = await services.ready();
      await serveHttp({
        services,
        settings,
        version: PROGRAM.version,
        token: token?.value ?? null,
        tls,
        portAsked: portAsked(line, settings),
        log,
        ending,
        onListening: ({ port }) => {
          const summary = process.stderr.isTTY ? told.summary : "";
          process.stderr.write(summary + told.warnings + welcomeFor({ settings, services, token, driver, port }));
          told.probe();
        },
      });
    },
  );
}

async function settingsFor(line: CommandLine): Promise<Settings> {
  const options = { ...loadOptionsOf(line), host: line.one("host"), port: portOf(line), transport: "http" } as const;
  const settings = await loadConfig(options);
  const fallback = line.one("default-root");
  if (fallback === undefined || settings.roots.length > 0) return settings;
  // A package manager runs a script in the folder of the package; the caller's own stands in INIT_CWD.
  return await loadConfig({ ...options, roots: [resolve(process.env["INIT_CWD"] ?? process.cwd(), fallback)] });
}

function portOf(line: CommandLine): number | undefined {
  const written = line.one("port");
  if (written === undefined) return undefined;
  if (!/^\d{1,5}$/.test(written) || Number(written) > 65_535) {
    throw new UsageError(`--port ${JSON.stringify(written.slice(0, 20))}: a port is a number from 0 to 65535`);
  }
  return Number(written);
}

/** A configuration file is taken to mean its port, even where that is the default. */
function portAsked(line: CommandLine, { mcp, file }: Settings): boolean {
  if (mcp.server.port !== DEFAULT_PORT || file !== null || line.has("port")) return true;
  if (process.env["LLMC_MCP__SERVER__PORT"] !== undefined) return true;
  return line.all("set")?.some((written) => /^\s*mcp\.server\.port\s*=/.test(written)) === true;
}

function tlsFiles({ mcp: { server } }: Settings): TlsFiles | null {
  if (!server.tls_enabled) return null;
  const read = (key: "tls_cert" | "tls_key") => {
    try {
      return readFileSync(server[key], "utf8");
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      throw new StartError(`mcp.server.${key}: ${server[key]} cannot be read (${code})`, thrown);
    }
  };
  return { cert: read("tls_cert"), key: read("tls_key") };
}

interface Listening {
  readonly settings: Settings;
  readonly services: Services;
  readonly token: Token | null;
  readonly driver: string;
  readonly port: number;
}

function welcomeFor({ settings, services, token, driver, port }: Listening): string {
  const { server, auth } = settings.mcp;
  const scheme = server.tls_enabled ? "https" : "http";
  return welcome({
    version: PROGRAM.version,
    roots: services.roots,
    driver,
    base: `${scheme}://${reachableHost(server.host)}:${port}`,
    takenPort: server.port !== 0 && port !== server.port ? server.port : null,
    token: token && shownToken(token, auth.token_env),
    tlsCert: server.tls_enabled ? server.tls_cert : null,
    exampleFile: exampleFile(services),
    paint: createPaint(process.stderr.isTTY && process.env["NO_COLOR"] === undefined),
  });
}

function shownToken({ value, source, file }: Token, variable: string): ShownToken {
  // Hides the token in a log, because more people read a log than a terminal.
  if (file !== null && !process.stderr.isTTY)
    return { inShell: `$(cat ${quoted(file)})`, note: "(--show-token prints it)" };
  if (file !== null) return { inShell: value, note: `(kept in ${file})` };
  const note = source === "env" ? "(as this server was given it)" : `(mcp.auth.token; set ${variable} to it)`;
  return { inShell: `$${variable}`, note };
}

function exampleFile({ roots: [root], dispatcher, access }: Services): string | null {
  const tool = dispatcher.find("linux.fs_read");
  if (root === undefined || tool === undefined || access.closedBy(tool) !== null) return null;
  const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return EXAMPLES.map((name) => join(root, name)).find(isFile) ?? null;
}
