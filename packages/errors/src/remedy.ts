/**
 * The way out of a failure as an id with its facts. The packages below the tools give these instead of a sentence that
 * would name a tool, an argument or a setting; the surface that answers words each of them, in one table.
 */
export type Remedy =
  /** Sentences one after another, some of them worded already. */
  | { readonly id: "several"; readonly of: readonly Advice[] }
  | { readonly id: "did-you-mean"; readonly names: readonly string[]; readonly arguments?: readonly string[] }
  /** A number below its least, where `argument` takes what was meant. */
  | { readonly id: "count-from-the-end"; readonly argument: string }
  | { readonly id: "ask-for-less" }
  | { readonly id: "confirm-otherwise" }
  | { readonly id: "record-calls" }
  // Paths and roots
  | { readonly id: "inside-roots"; readonly roots: readonly string[] }
  | { readonly id: "configure-roots" }
  // Content of files
  | { readonly id: "read-as-base64" }
  /** `sha256` is the content of now; absent where the failure is about a folder that holds the file. */
  | { readonly id: "read-again"; readonly sha256?: string }
  | { readonly id: "expect-content"; readonly path: string; readonly sha256: string }
  /** `counts` goes on after the name of the text: "occurs twice in /a, not once". */
  | { readonly id: "text-to-replace"; readonly edit?: number; readonly counts: string; readonly advice: Advice }
  // Processes
  | { readonly id: "list-processes" }
  | { readonly id: "list-own-processes" }
  | { readonly id: "signal-below" }
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
  /** `how`: the other init system's own command. */
  | { readonly id: "ask-manager"; readonly how: string }
  | { readonly id: "services-without-log" }
  | { readonly id: "read-log-files" }
  | { readonly id: "narrower-log" }
  | { readonly id: "swap-times" }
  | { readonly id: "cursor-as-given" }
  | { readonly id: "time-instead" };

/** What the caller of a failed operation can do: a sentence without words of a surface, or a remedy. */
export type Advice = string | Remedy;

/** What a surface says instead of a remedy; a message where the error's own cannot name what the caller wrote. */
export interface Words {
  readonly message?: string;
  readonly hint: string;
}
