import { ConfigError } from "./config-error.js";

/** Faults of a configuration, collected so that a start names all at once. */
export class Faults {
  readonly #found: ConfigError[] = [];

  /** Does a piece of the work; a fault ends that piece alone. */
  collect(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      this.add(thrown);
    }
  }

  /** Two lists may blame one value twice: the same sentence is kept once. */
  add(fault: ConfigError): void {
    if (!this.#found.some(({ message }) => message === fault.message)) this.#found.push(fault);
  }

  /** Throws all that was found as one error. */
  demandNone(): void {
    const [first, ...more] = this.#found;
    if (first !== undefined) throw more.length === 0 ? first : first.with(more);
  }
}
