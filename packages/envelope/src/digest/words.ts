/** Words by which a caller names the way to the lines that a digest leaves out, for each handle that keeps it. */
export interface HandleWords {
  /** Reads these lines, such as "10-20". */
  readonly lines: (handle: string, lines: string) => string;
  /** Looks for lines in all of the handles. */
  readonly match: (handles: readonly string[]) => string;
}

/** Words for a client of the server: `hintOf` names the tool as the client lists it. */
export function toolWords(hintOf: (text: string) => string): HandleWords {
  const reading = (handle: string): string => hintOf(`linux.handle_read ${handle}`);
  return {
    lines: (handle, lines) => `${reading(handle)} lines=${lines}`,
    match: (handles) => `${handles.map(reading).join(", ")} match`,
  };
}
