import { InvalidArgumentError } from "@llmc/errors";
import { SLASH, type CharSet } from "./characters.js";

/**
 * One place of a compiled pattern. `char`, `any` (all but a slash), `every` and `set` take one character and go on at
 * `out[0]`; `split` goes on at each of `out`; `accept` is an end. One shape for all keeps the matcher's loop fast.
 */
export interface Place {
  readonly id: number;
  readonly kind: "char" | "any" | "every" | "set" | "split" | "accept";
  /** The character of `char`; the rule of `accept`. */
  readonly value: number;
  readonly set: CharSet | undefined;
  /** `char`: a dot that stands at the start of a name. `accept`: folders only. `every`: from here on, all matches. */
  readonly special: boolean;
  readonly out: Place[];
}

/** No way from here leads to an end. */
export type Maybe = Place | undefined;

/**
 * Builds patterns from their end to their start: what follows is known before what leads to it, so that dead ways are
 * never built, and alternatives share what follows them. `most` bounds the places.
 */
export class Builder {
  #count = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  accept(rule: number, foldersOnly = false): Place {
    return this.#place("accept", { value: rule, special: foldersOnly });
  }

  char(code: number, next: Maybe, special = false): Maybe {
    return next && this.#place("char", { value: code, special, out: [next] });
  }

  set(set: CharSet, next: Maybe): Maybe {
    return next && this.#place("set", { set, out: [next] });
  }

  any(next: Maybe): Maybe {
    return next && this.#place("any", { out: [next] });
  }

  either(...ways: readonly Maybe[]): Maybe {
    const open = [...new Set(ways)].filter((way) => way !== undefined);
    return open.length < 2 ? open[0] : this.#place("split", { out: open });
  }

  /** Any number of characters of one name. */
  star(next: Maybe): Maybe {
    return next && this.#loop("any", next, false);
  }

  /** Any number of characters, slashes too. */
  everything(next: Maybe): Maybe {
    return next && this.#loop("every", next, false);
  }

  /** At least one character, slashes too; `final`: nothing else has to follow. */
  something(next: Maybe, final = false): Maybe {
    return next && this.#loop("every", next, final).out[0];
  }

  /** Any number of folders, each with its slash. */
  folders(next: Maybe): Maybe {
    if (next === undefined) return undefined;
    const again = this.#place("split", { out: [next] });
    const rest = this.#loop("any", this.char(SLASH, again) as Place, false);
    again.out.push(rest.out[0] as Place);
    return again;
  }

  #loop(kind: "any" | "every", next: Place, special: boolean): Place {
    const fork = this.#place("split", { out: [] });
    fork.out.push(this.#place(kind, { special, out: [fork] }), next);
    return fork;
  }

  #place(kind: Place["kind"], { value = 0, set, special = false, out = [] }: Partial<Place>): Place {
    if (this.#count >= this.#most) throw tooLarge();
    return { id: this.#count++, kind, value, set, special, out };
  }
}

function tooLarge(): InvalidArgumentError {
  return new InvalidArgumentError("The glob is too large", "Use fewer alternatives, or * in place of a long list.");
}
