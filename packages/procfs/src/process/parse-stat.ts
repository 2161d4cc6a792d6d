/** What /proc/PID/stat says. */
export interface StatLine {
  /** At most 15 bytes, as they are: any byte may be in it, also a newline. */
  readonly comm: string;
  readonly state: string;
  readonly ppid: number;
  readonly group: number;
  readonly session: number;
  readonly flags: number;
  readonly ticks: number;
  readonly nice: number;
  readonly threads: number;
  readonly startTicks: number;
  readonly rssPages: number;
}

const CLOSING = 0x29;
const SPACE = 0x20;
const MINUS = 0x2d;
const ZERO = 0x30;
/** From ppid, the fourth field, to rss, the 24th. */
const NUMBERS = 21;
const numbers = new Float64Array(NUMBERS);

/** Undefined for what is no such line: the process ended while it was read. */
export function parseStat(bytes: Buffer): StatLine | undefined {
  const open = bytes.indexOf("(");
  // The name may hold brackets and spaces; nothing behind it can.
  const close = bytes.lastIndexOf(CLOSING);
  if (open < 0 || close < open || !readNumbers(bytes, close + 4)) return undefined;
  const [ppid = 0, group = 0, session = 0, , , flags = 0] = numbers;
  return {
    comm: bytes.toString("utf8", open + 1, close),
    state: String.fromCharCode(bytes[close + 2] ?? 0),
    ppid,
    group,
    session,
    flags,
    ticks: at(14) + at(15),
    nice: at(19),
    threads: at(20),
    startTicks: at(22),
    rssPages: at(24),
  };
}

/** By the number that proc(5) gives the field. */
function at(field: number): number {
  return numbers[field - 4] ?? 0;
}

/** Three thousand lines a call: digits are added up where they stand, without a string for each. */
function readNumbers(bytes: Buffer, from: number): boolean {
  let [place, value, sign] = [0, 0, 1];
  for (let byte = from; place < NUMBERS; byte += 1) {
    const code = bytes[byte];
    if (code === MINUS) sign = -1;
    else if (code !== undefined && code >= ZERO) value = value * 10 + (code - ZERO);
    else {
      numbers[place] = sign * value;
      place += 1;
      [value, sign] = [0, 1];
      if (code !== SPACE) break;
    }
  }
  return place === NUMBERS;
}
