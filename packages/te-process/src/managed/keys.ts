import { InvalidArgumentError } from "@llmc/errors";

/** What a key does: bytes for a terminal, and what stands for it where there is none. */
export interface Key {
  readonly bytes: string;
  readonly signal?: NodeJS.Signals;
  readonly endsInput?: boolean;
  /** Means something to a program without a terminal as well. */
  readonly isText?: boolean;
}

const NAMED: Readonly<Record<string, Key>> = {
  enter: { bytes: "\r", isText: true },
  tab: { bytes: "\t", isText: true },
  space: { bytes: " ", isText: true },
  esc: { bytes: "\u001b" },
  backspace: { bytes: "\u007f" },
  delete: { bytes: "\u001b[3~" },
  up: { bytes: "\u001b[A" },
  down: { bytes: "\u001b[B" },
  right: { bytes: "\u001b[C" },
  left: { bytes: "\u001b[D" },
  home: { bytes: "\u001b[H" },
  end: { bytes: "\u001b[F" },
  pageup: { bytes: "\u001b[5~" },
  pagedown: { bytes: "\u001b[6~" },
  f1: { bytes: "\u001bOP" },
  f2: { bytes: "\u001bOQ" },
  f3: { bytes: "\u001bOR" },
  f4: { bytes: "\u001bOS" },
  f5: { bytes: "\u001b[15~" },
  f6: { bytes: "\u001b[17~" },
  f7: { bytes: "\u001b[18~" },
  f8: { bytes: "\u001b[19~" },
  f9: { bytes: "\u001b[20~" },
  f10: { bytes: "\u001b[21~" },
  f11: { bytes: "\u001b[23~" },
  f12: { bytes: "\u001b[24~" },
  "ctrl-c": { bytes: "\u0003", signal: "SIGINT" },
  "ctrl-\\": { bytes: "\u001c", signal: "SIGQUIT" },
  "ctrl-z": { bytes: "\u001a", signal: "SIGTSTP" },
  "ctrl-d": { bytes: "\u0004", endsInput: true },
};
const ALIASES: Readonly<Record<string, string>> = { escape: "esc", return: "enter", del: "delete", "ctrl-[": "esc" };

/** `ctrl-c`, `Ctrl+C`, `up`, `alt-x`: however it is written. */
export function keyNamed(name: string): Key {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^(ctrl|control|c|alt|meta|m)[+-]/, spellModifier);
  const named = NAMED[ALIASES[plain] ?? plain];
  if (named !== undefined) return named;
  const letter = /^ctrl-([a-z@\]^_])$/.exec(plain)?.[1];
  if (letter !== undefined) return { bytes: String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f) };
  const alt = /^alt-(.)$/u.exec(plain)?.[1];
  if (alt !== undefined) return { bytes: `\u001b${alt}` };
  throw new InvalidArgumentError(
    `${JSON.stringify(name.slice(0, 40))} is not a valid key`,
    "ctrl-a to ctrl-z, alt-x, enter, tab, esc, backspace, delete, up, down, left, right, home, end, pageup, pagedown, f1 to f12.",
  );
}

function spellModifier(_: string, modifier: string): string {
  return modifier === "alt" || modifier.startsWith("m") ? "alt-" : "ctrl-";
}
