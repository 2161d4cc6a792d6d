/** Lines for the stdin of a program that runs while they are found. */
export interface LineFeed {
  readonly source: AsyncIterable<Uint8Array>;
  give(line: Buffer): void;
  /** No more will come. */
  end(): void;
  readonly isOver: boolean;
  /** Where a line begins in what is fed; the first has the number 1. */
  startOf(number: number): number;
}

const NEWLINE = Buffer.of(0x0a);

export function lineFeed(): LineFeed {
  const starts: number[] = [];
  let waiting: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  let wake: () => void = () => undefined;

  async function* source(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (waiting.length > 0) {
        const some = Buffer.concat(waiting);
        waiting = [];
        yield some;
      } else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    source: source(),
    give(line) {
      starts.push(bytes);
      bytes += line.length + 1;
      waiting.push(line, NEWLINE);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    get isOver() {
      return isOver;
    },
    startOf: (number) => starts[number - 1] ?? 0,
  };
}
