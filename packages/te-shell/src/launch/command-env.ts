import { InvalidArgumentError } from "@llmc/errors";
import { buildEnv } from "@llmc/te-run";
import type { LaunchSession } from "./request.js";

/** Names that make a program load, run or read something else than its words say. */
const STEERING =
  /^(LD_.*|GCONV_PATH|GLIBC_TUNABLES|NODE_OPTIONS|GIT_.*|ENV|BASH_ENV|BASH_FUNC_.*|PS4|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PYTHON.*|PERL5.*|RUBY.*|JAVA_TOOL_OPTIONS|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|PAGER|MANPAGER|IFS|PATH|HOME|LLMC_.*|TE_AGENT_ID|TE_SESSION_ID|TE_MODEL)$/;

export interface CommandEnvSources {
  /** Ours. */
  readonly base: Readonly<Record<string, string | undefined>>;
  readonly path: readonly string[];
  readonly home: string;
  readonly user: string;
  readonly session: LaunchSession;
  /** Names of the server's own variables that the operator passes on. */
  readonly pass: readonly string[];
  readonly git: Readonly<Record<string, string>>;
  readonly caller: Readonly<Record<string, string>>;
  readonly isTerminal: boolean;
}

/** Selects Python's basic REPL, because the other one redraws its line in a terminal for every character it reads. */
const TERMINAL = { PYTHON_BASIC_REPL: "1" };

/** Built from nothing: what the operator does not name does not get in. */
export function commandEnv(sources: CommandEnvSources): Record<string, string> {
  const { base, path, home, user, session, pass, git, caller, isTerminal } = sources;
  refuseSteering(caller, pass);
  const passed = pass.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]] as const]));
  return buildEnv(base, {
    ...git,
    ...(isTerminal ? TERMINAL : {}),
    ...Object.fromEntries(passed),
    ...caller,
    PATH: path.join(":"),
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: "/bin/bash",
    TE_AGENT_ID: session.agentId,
    TE_SESSION_ID: session.id,
    TE_MODEL: session.model,
  });
}

function refuseSteering(caller: Readonly<Record<string, string>>, pass: readonly string[]): void {
  const name = Object.keys(caller).find((each) => isSteering(each, pass));
  if (name === undefined) return;
  throw new InvalidArgumentError(`The environment variable ${name} changes what a program runs`, {
    id: "pass-variable",
  });
}

/** Tells whether the caller may not set a variable for a command. */
export function isSteering(name: string, pass: readonly string[]): boolean {
  return STEERING.test(name) && !pass.includes(name);
}
