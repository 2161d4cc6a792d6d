const NEWLINE = 0x0a;
const MAX_LINE = 1024 * 1024;

export interface LineSplitter {
  take(chunk: Buffer): void;
  /** What follows the last newline is a line as well. */
  end(): void;
}

/** Lines of a stream; of one above a megabyte the beginning alone. */
export function lineSplitter(onLine: (line: string) => void): LineSplitter {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer): void => {
    if (length < MAX_LINE) pieces.push(piece);
    length += piece.length;
  };
  const flush = (): void => {
    if (length > 0) onLine(Buffer.concat(pieces).toString("utf8"));
    [pieces, length] = [[], 0];
  };
  return {
    take(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, at));
        flush();
        from = at + 1;
      }
      if (from < chunk.length) add(Buffer.from(chunk.subarray(from)));
    },
    end: flush,
  };
}
