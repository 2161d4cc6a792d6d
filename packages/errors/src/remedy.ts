/**
 * Advice after a failure, as an id with its facts. Lower packages give a remedy because a sentence would have to name a
 * tool, an argument or a setting. The surface that answers words each remedy, in one table.
 */
export type Remedy =
  /** Pieces of advice in their order, plain sentences or remedies. */
  | { readonly id: "several"; readonly of: readonly Advice[] }
  | { readonly id: "did-you-mean"; readonly names: readonly string[]; readonly arguments?: readonly string[] }
  /** Tool of this server that does the work of an unknown one. */
  | { readonly id: "use-tool"; readonly tool: string }
  /** The caller passed a negative number to count from the end; `argument` does that, with `count` if it takes that many. */
  | { readonly id: "count-from-the-end"; readonly argument: string; readonly count?: number }
  | { readonly id: "ask-for-less" }
  | { readonly id: "confirm-otherwise" }
  | { readonly id: "record-calls" }
  // Paths and roots
  | { readonly id: "inside-roots"; readonly roots: readonly string[] }
  | { readonly id: "configure-roots" }
  | { readonly id: "list-folder" }
  | { readonly id: "write-new-file" }
  | { readonly id: "create-parents" }
  /** Destination folder of a move or copy. */
  | { readonly id: "create-target-folder" }
  | { readonly id: "accept-existing" }
  | { readonly id: "overwrite" }
  | { readonly id: "delete-recursively" }
  | { readonly id: "fewer-backups" }
  | { readonly id: "free-space" }
  /** `entry` is an item of the operator's list of credentials, also in `open-credentials`. */
  | { readonly id: "leave-credentials"; readonly entry: string }
  | { readonly id: "open-credentials"; readonly entry: string }
  /** `name` is the part of the path that makes the path exec config. */
  | { readonly id: "allow-exec-config"; readonly name: string }
  // Content of files
  | { readonly id: "look-by-command" }
  | { readonly id: "read-again" }
  | { readonly id: "expect-content"; readonly path: string; readonly sha256: string }
  | { readonly id: "expect-content-of-file"; readonly path: string }
  | { readonly id: "too-large-to-patch" }
  | { readonly id: "patch-text-only" }
  | { readonly id: "write-binary" }
  /** A character that the encoding of the file lacks. */
  | { readonly id: "other-characters" }
  | { readonly id: "fewer-pages"; readonly first: number; readonly last: number }
  /** Lines of a file, to be copied into a hunk of a diff. */
  | { readonly id: "copy-place"; readonly line: number; readonly lines: number; readonly hunk: number }
  // Blocks of text to replace; `edit` is the index among several edits, from 0
  | { readonly id: "give-an-edit" }
  | { readonly id: "fewer-replacements"; readonly edit?: number; readonly most: number }
  | { readonly id: "name-old-text"; readonly edit?: number }
  | { readonly id: "change-something"; readonly edit?: number }
  | { readonly id: "whole-characters"; readonly edit?: number; readonly text: "old" | "new" }
  /** `says` follows the name of the text, as in "occurs twice in /a, not once". */
  | { readonly id: "text-to-replace"; readonly edit?: number; readonly says: string; readonly advice: Advice }
  /** The block occurs `count` times, more than expected; absent if that is too often to replace. */
  | { readonly id: "longer-block"; readonly expected: number; readonly count?: number }
  /** The block occurs `count` times, less than expected. */
  | { readonly id: "fewer-places"; readonly count: number }
  /** Lines that equal the block, except for indentation that differs in more than one way. */
  | { readonly id: "copy-indentation"; readonly line: number; readonly endLine: number }
  | { readonly id: "write-characters"; readonly escapes: string }
  | { readonly id: "edit-made-already"; readonly lines: readonly number[] }
  | { readonly id: "text-beside-bytes"; readonly line: number }
  | { readonly id: "send-block"; readonly quote: string }
  | { readonly id: "take-marked-lines"; readonly hasTabs: boolean }
  | { readonly id: "copy-block"; readonly line: number; readonly endLine: number }
  | { readonly id: "write-whole-file" }
  | { readonly id: "read-for-block" }
  // Commands
  /** The caller asked for more seconds than `max`. */
  | { readonly id: "shorter-timeout"; readonly seconds: number; readonly max: number }
  | { readonly id: "more-time" }
  /** The command goes on as a managed process. */
  | { readonly id: "come-back"; readonly procId: string; readonly waitMs: number }
  | { readonly id: "keep-program" }
  | { readonly id: "allow-bash"; readonly list: CommandList }
  /** `names` are the first names that the list allows; `more` counts the others. */
  | {
      readonly id: "allowed-programs";
      readonly list: CommandList;
      readonly names: readonly string[];
      readonly more: number;
    }
  | { readonly id: "allow-program" }
  | { readonly id: "allow-program-or-sandbox" }
  | { readonly id: "allow-unsafe"; readonly program: string }
  | { readonly id: "without-that-argument" }
  | { readonly id: "pass-variable" }
  /** The machine has no sandbox because of `why`; `fix` tells the operator how to get one. */
  | { readonly id: "commands-off"; readonly why: string; readonly fix: string }
  | { readonly id: "hide-host" }
  | { readonly id: "see-health" }
  | { readonly id: "without-terminal" }
  /** Adds `folder` to the search path if `isByName`, else to the readable folders, and `and` to the readable folders. */
  | {
      readonly id: "open-to-sandbox";
      readonly place: string;
      readonly folder: string;
      readonly isByName: boolean;
      readonly and?: string;
    }
  /** A lone builtin of the shell: `folder` or `variables` are for the next command, else `line` is its beginning. */
  | {
      readonly id: "does-not-last";
      readonly builtin: string;
      readonly line: string;
      readonly folder?: string;
      readonly variables?: Readonly<Record<string, string>>;
    }
  /**
   * Cause of a failure in a sandbox that the command's message does not tell, like `write-protected` and
   * `no-docker-socket`.
   */
  | { readonly id: "not-visible"; readonly path: string; readonly roots: readonly string[] }
  | { readonly id: "write-protected"; readonly path: string }
  /** Keys that a command wrote into a git config and the server refused. */
  | { readonly id: "git-keys-refused"; readonly keys: readonly string[] }
  | { readonly id: "no-docker-socket" }
  | { readonly id: "needs-terminal" }
  | { readonly id: "ask-the-machine"; readonly about: MachineTopic }
  | {
      readonly id: "too-many-repositories";
      readonly folders: readonly string[];
      readonly more: number;
      readonly isOpenedInside: boolean;
    }
  // Searches
  | { readonly id: "search-names-instead" }
  | { readonly id: "match-several-lines" }
  | { readonly id: "write-newline" }
  | { readonly id: "match-single-lines" }
  /** `problem` is the engine's reason, if it gave one. */
  | { readonly id: "search-as-text"; readonly problem?: string }
  | { readonly id: "search-as-text-or-ripgrep" }
  | { readonly id: "type-or-glob" }
  | { readonly id: "escape-or-as-text" }
  // Processes
  | { readonly id: "list-processes" }
  | { readonly id: "list-own-processes" }
  | { readonly id: "signal-other-users" }
  | { readonly id: "pid-of-thread"; readonly pid: number }
  | { readonly id: "pid-reused"; readonly startTicks: number }
  | { readonly id: "end-own-process"; readonly ids: readonly string[] }
  | { readonly id: "wait-for-processes" }
  | { readonly id: "start-with-input" }
  | { readonly id: "read-or-end" }
  | { readonly id: "simpler-awaited"; readonly ms: number }
  | { readonly id: "awaited-as-text"; readonly problem: string }
  // The machine, its services and logs
  | { readonly id: "look-at-machine" }
  | { readonly id: "list-services" }
  | { readonly id: "processes-instead" }
  | { readonly id: "processes-below"; readonly pid: number }
  /** `how` names the command of the other init system. */
  | { readonly id: "ask-manager"; readonly how: string }
  | { readonly id: "services-without-log" }
  | { readonly id: "read-log-files" }
  | { readonly id: "narrower-log" }
  | { readonly id: "swap-times" }
  | { readonly id: "cursor-as-given" }
  | { readonly id: "time-instead" };

/** The operator's two lists of programs, one for all uses and one only for commands. */
export type CommandList = "programs" | "commands";

/** Parts of the machine that a command in a sandbox does not see. */
export type MachineTopic = "processes" | "signals" | "services" | "logs" | "state";

/** Advice to the caller of a failed operation: a sentence without words of a surface, or a remedy. */
export type Advice = string | Remedy;

/** Joins several pieces of advice: plain text unless a piece has to be worded. */
export function several(...of: readonly Advice[]): Advice {
  const texts = of.filter((each) => typeof each === "string");
  return texts.length === of.length ? texts.join(" ") : { id: "several", of };
}

/** A surface's words for a remedy. `message` replaces that of an error that cannot name the caller's argument. */
export interface Words {
  readonly message?: string;
  readonly hint: string;
}
