import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "../error/config-error.js";
import { makeFolder } from "./data-dir.js";
import type { Environment } from "../layers/overrides.js";
import { tokenFile, type Settings } from "../load/settings.js";
import { isUsableToken, TOKEN_RULE } from "../check/token-rule.js";

export interface Token {
  readonly value: string;
  readonly source: "env" | "file" | "new" | "config";
  readonly file: string | null;
}

export interface TokenOptions {
  readonly env?: Environment | undefined;
  /** Replaces the kept token by a new one. */
  readonly renew?: boolean | undefined;
  /** Whether the bound address is reachable from this machine only. */
  readonly loopback: boolean;
}

/** The token that callers must show; null where none is asked for. */
export async function resolveToken(settings: Settings, options: TokenOptions): Promise<Token | null> {
  const { auth } = settings.mcp;
  if (auth.mode === "none") {
    if (options.loopback) return null;
    throw new ConfigError('"none" is for loopback addresses only', { key: "mcp.auth.mode" });
  }
  const given = givenToken(settings, options);
  if (!given) return keptToken(settings, options);
  if (!isUsableToken(given.value)) throw new ConfigError(TOKEN_RULE, { origin: { label: given.label } });
  if (options.renew) {
    throw new ConfigError(`has no effect while ${given.label} is set`, { origin: { label: "--new-token" } });
  }
  return { value: given.value, source: given.source, file: null };
}

interface Given {
  readonly value: string;
  readonly label: string;
  readonly source: "env" | "config";
}

/** An empty variable counts as unset: `${LLMC_MCP_TOKEN}` in a compose file is empty where nobody set it. */
function givenToken({ mcp: { auth } }: Settings, { env = process.env }: TokenOptions): Given | undefined {
  const value = env[auth.token_env];
  if (value !== undefined && value !== "") return { value, label: auth.token_env, source: "env" };
  return auth.token === "" ? undefined : { value: auth.token, label: "mcp.auth.token", source: "config" };
}

async function keptToken({ dataDir, mcp: { auth } }: Settings, { renew, loopback }: TokenOptions): Promise<Token> {
  if (dataDir === null)
    throw new ConfigError(`is not set, and there is no data dir to keep a token in`, labelled(auth.token_env));
  const file = tokenFile(dataDir);
  try {
    const kept = await readToken(file, renew === true);
    if (kept !== undefined && !renew) return { value: kept, source: "file", file };
    if (kept === undefined && !loopback) {
      throw new ConfigError("must be set where the address is not a loopback one", labelled(auth.token_env));
    }
    return await makeToken(file, renew === true);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new ConfigError(`the token cannot be kept here (${code}): set LLMC_DATA_DIR or ${auth.token_env}`, {
      ...labelled(file),
      cause,
    });
  }
}

const labelled = (label: string) => ({ origin: { label } });
const OPEN_TO_OTHERS = 0o077;

/** With `replaced` only its existence counts: what it holds is about to go. */
async function readToken(path: string, replaced: boolean): Promise<string | undefined> {
  // NOFOLLOW and NONBLOCK: neither a link nor a FIFO in its place may decide what we read or make us wait.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "ENOENT") return undefined;
    throw thrown;
  });
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > 8192) throw new ConfigError("is not a token file", labelled(path));
    if (replaced) return "";
    if (stats.mode & OPEN_TO_OTHERS) {
      const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
      throw new ConfigError(
        `other users can reach this token (mode ${mode}): chmod 600 it, or --new-token`,
        labelled(path),
      );
    }
    const value = (await file.readFile("utf8")).trim();
    if (!isUsableToken(value)) throw new ConfigError(`${TOKEN_RULE}; --new-token makes one`, labelled(path));
    return value;
  } finally {
    await file.close();
  }
}

async function makeToken(path: string, replace: boolean): Promise<Token> {
  const value = randomBytes(32).toString("base64url");
  const folder = dirname(path);
  makeFolder(folder);
  const draft = join(folder, `.token-${randomBytes(9).toString("base64url")}`);
  try {
    await writeDraft(draft, value);
    if (replace) {
      await rename(draft, path);
      return { value, source: "new", file: path };
    }
    return await publish(draft, path, value);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, value: string): Promise<void> {
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${value}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** `link` fails where a file is: of two processes that start at once one wins, and nobody ever reads half a token. */
async function publish(draft: string, path: string, value: string): Promise<Token> {
  try {
    await link(draft, path);
    return { value, source: "new", file: path };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  const theirs = await readToken(path, false);
  if (theirs === undefined) throw new ConfigError("the token file vanished while it was read", labelled(path));
  return { value: theirs, source: "file", file: path };
}
