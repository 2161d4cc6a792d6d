import { ConfigError } from "./config-error.js";

/** Faults of a configuration, collected so that a start names all at once. */
export class Faults {
  readonly #found: ConfigError[] = [];

  /** Runs a piece of work and collects its fault, so that a fault ends only its own piece. */
  collect(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      this.add(thrown);
    }
  }

  /** Adds a fault, unless the same sentence is known, because two checks may blame one value. */
  add(fault: ConfigError): void {
    if (!this.#found.some(({ message }) => message === fault.message)) this.#found.push(fault);
  }

  /** Throws all faults as one error. */
  demandNone(): void {
    const [first, ...more] = this.#found;
    if (first !== undefined) throw more.length === 0 ? first : first.with(more);
  }
}
