import { lstat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { ConfigError } from "../error/config-error.js";
import { Faults } from "../error/faults.js";
import { OWN_HOME, settlePath, WORKING_FOLDER, type Base } from "../layers/folders.js";
import { layerOf, merge, type Layer } from "../layers/layer.js";
import { readFilters } from "./filters.js";
import type { Fault } from "../check/impossible.js";
import { isLoopback } from "../check/loopback.js";
import { commandLineLayer, environmentLayer, type CommandLine, type Environment } from "../layers/overrides.js";
import { readConfigFile, readConfigFileIfAny, type ConfigFile } from "./read-file.js";
import type { McpConfig } from "../schema/mcp.js";
import { effectiveRoots, frozen, originsOf, privatePaths, sentences, tokenFile, type Settings } from "./settings.js";
import { refuse, validate } from "../check/validate.js";
import { warnings } from "./warnings.js";

export interface LoadOptions extends CommandLine {
  readonly file?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly env?: Environment | undefined;
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  /** What is about to be served. Only HTTP needs a token. */
  readonly transport?: "stdio" | "http" | undefined;
}

interface Surroundings {
  readonly env: Environment;
  /** Relative to the current folder: what is typed into a shell. */
  readonly shell: Base;
  /** Where the file is looked for when nobody names one. */
  readonly usualFile: string;
}

/** Reads the configuration: command line over environment over file over defaults. */
export async function loadConfig(options: LoadOptions = {}): Promise<Settings> {
  const around = surroundings(options);
  const file = await findFile(options, around);
  const faults = new Faults();
  const layer = layers(options, around, { file, faults });
  if (options.dataDir === "")
    faults.add(new ConfigError("needs the path of a folder", { origin: { label: "--data-dir" } }));
  const validated = validate(layer, faults);
  const { mcp } = validated;
  const dataDir = dataDirOf(options, around, mcp);
  if (options.transport === "http" && (await lacksToken({ mcp, dataDir, env: around.env })))
    faults.add(refuse(noToken(mcp), layer));
  faults.demandNone();
  const roots = effectiveRoots(mcp);
  const own = file ? [file.path, file.realPath] : [];
  const filters = await readFilters(join(dirname(around.usualFile), "filters"));
  return frozen({
    mcp,
    file: file?.path ?? null,
    dataDir,
    home: around.shell.home(),
    roots,
    filters,
    warnings: [
      ...(await warnings({
        mcp,
        roots,
        file,
        dataDir,
        cwd: around.shell.folder(),
        env: around.env,
        transport: options.transport,
      })),
      ...filters.flatMap(({ problem }) => problem ?? []),
    ],
    origins: originsOf(layer, validated),
    moved: sentences(validated),
    // The usual folder even where nothing is in it: who may write there configures the next start.
    // The usual state likewise: a server next door may keep its token there.
    privatePaths: privatePaths({ mcp, dataDir, elsewhere: [...own, dirname(around.usualFile), usualState(around)] }),
  });
}

function surroundings({ env = process.env, cwd, home }: LoadOptions): Surroundings {
  const own = settlePath(home ?? OWN_HOME(), { folder: WORKING_FOLDER, home: OWN_HOME });
  const here = cwd ?? WORKING_FOLDER();
  const shell: Base = { folder: () => here, home: () => own };
  return { env, shell, usualFile: join(xdg(env, "XDG_CONFIG_HOME") ?? join(own, ".config"), "llmc", "llmc.toml") };
}

/** The specification says that a relative one is invalid and must be ignored. */
function xdg(env: Environment, name: string): string | undefined {
  const folder = env[name];
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

async function findFile(
  { file }: LoadOptions,
  { env, shell, usualFile }: Surroundings,
): Promise<ConfigFile | undefined> {
  if (file === "") throw new ConfigError("needs the path of a file", { origin: { label: "--config" } });
  const named = file ?? env["LLMC_CONFIG"];
  if (named === undefined || named === "") return readConfigFileIfAny(usualFile);
  return readConfigFile(settlePath(named, shell));
}

interface Reading {
  readonly file: ConfigFile | undefined;
  readonly faults: Faults;
}

function layers(options: LoadOptions, { env, shell }: Surroundings, { file, faults }: Reading): Layer {
  const root = env["LLMC_ROOT"];
  const moved = root === undefined || root === "" ? undefined : settlePath(root, shell);
  const based = (folder: string): Base => ({ ...shell, folder: () => folder });
  const below = based(moved ?? (file === undefined ? "/" : dirname(file.path)));
  const written = file?.mcp === undefined ? [] : [layerOf(file.mcp, below, file.locate, faults)];
  const fromEnvironment = environmentLayer(env, moved === undefined ? shell : based(moved), shell, faults);
  return merge([...written, fromEnvironment, commandLineLayer(options, shell, faults)]);
}

function dataDirOf({ dataDir }: LoadOptions, { env, shell }: Surroundings, mcp: McpConfig): string {
  const named = dataDir ?? (env["LLMC_DATA_DIR"] || mcp.docker.data_volume);
  if (named !== "") return settlePath(named, shell);
  return usualState({ env, shell });
}

function usualState({ env, shell }: Pick<Surroundings, "env" | "shell">): string {
  return join(xdg(env, "XDG_STATE_HOME") ?? join(shell.home(), ".local", "state"), "llmc");
}

interface TokenDemand {
  readonly mcp: McpConfig;
  readonly dataDir: string;
  readonly env: Environment;
}

/** On a loopback host a token is made when it is first needed; elsewhere there must be one before anything listens. */
async function lacksToken({ mcp: { auth, server }, dataDir, env }: TokenDemand): Promise<boolean> {
  if (auth.mode === "none" || isLoopback(server.host)) return false;
  return (env[auth.token_env] ?? "") === "" && auth.token === "" && !(await exists(tokenFile(dataDir)));
}

function noToken({ auth, server }: McpConfig): Fault {
  return {
    keys: ["mcp.server.host", "mcp.auth.mode"],
    problem: `${server.host} is not a loopback address and there is no token: set ${auth.token_env} (16 characters or more)`,
  };
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
