export interface Screen {
  /** Its lines, without blanks at their ends; empty ones below the last are left out. */
  readonly text: string;
  /** Counted from 1. */
  readonly cursor: { readonly row: number; readonly col: number };
}

/** What a terminal of that size shows after all of these bytes. */
export async function drawScreen(bytes: Buffer, { cols, rows }: { cols: number; rows: number }): Promise<Screen> {
  const { default: xterm } = await import("@xterm/headless");
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 0, allowProposedApi: true });
  try {
    await new Promise<void>((resolve) => terminal.write(bytes, resolve));
    const buffer = terminal.buffer.active;
    const lines = Array.from({ length: rows }, (_, row) => {
      return (
        buffer
          .getLine(buffer.baseY + row)
          ?.translateToString(true)
          .trimEnd() ?? ""
      );
    });
    const last = lines.findLastIndex((line) => line !== "");
    return {
      text: lines.slice(0, last + 1).join("\n"),
      cursor: { row: buffer.cursorY + 1, col: buffer.cursorX + 1 },
    };
  } finally {
    terminal.dispose();
  }
}
