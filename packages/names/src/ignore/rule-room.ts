import type { Bytes } from "../path/bytes.js";
import { compileIgnoreText, type CompiledIgnore } from "./ignore.js";

/** What all rules of one walk may take. Nobody writes so many; a tree that was made to has them. */
const MAX_BYTES = 48 * 1024 * 1024;

interface Shared {
  readonly text: Bytes;
  readonly rules: CompiledIgnore;
  users: number;
}

/**
 * The rules of one walk. Files with the same text, of which a repository with many packages is full, share theirs; what
 * nobody uses any more makes room when that is short.
 */
export class RuleRoom {
  readonly #byText = new Map<Bytes, Shared>();
  readonly #byRules = new Map<CompiledIgnore, Shared>();
  readonly #maxBytes: number;
  #bytes = 0;

  /** Rules that are not in force for want of room. */
  skipped = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Undefined where there is no room. Whoever gets them gives them back. */
  take(text: Bytes): CompiledIgnore | undefined {
    const known = this.#byText.get(text) ?? this.#compile(text);
    if (known !== undefined) known.users += 1;
    return known?.rules;
  }

  giveBack(rules: CompiledIgnore): void {
    const shared = this.#byRules.get(rules);
    if (shared !== undefined) shared.users -= 1;
  }

  #compile(text: Bytes): Shared | undefined {
    const rules = compileIgnoreText(text);
    if (this.#bytes + rules.bytes > this.#maxBytes) this.#dropUnused();
    if (this.#bytes + rules.bytes > this.#maxBytes) {
      this.skipped += rules.taken + rules.skipped;
      return undefined;
    }
    this.skipped += rules.skipped;
    this.#bytes += rules.bytes;
    const shared = { text, rules, users: 0 };
    this.#byText.set(text, shared);
    this.#byRules.set(rules, shared);
    return shared;
  }

  #dropUnused(): void {
    for (const { text, rules, users } of this.#byText.values()) {
      if (users > 0) continue;
      this.#byText.delete(text);
      this.#byRules.delete(rules);
      this.#bytes -= rules.bytes;
    }
  }
}
