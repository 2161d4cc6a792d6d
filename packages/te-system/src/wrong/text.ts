const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"] as const;

/** In base 1024, with one digit behind the point where it tells something: "16GB", "8.2GB", "512MB". */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  // Also what would be shown as 1024 of a unit.
  while (value >= 1023.95 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  const shown = unit === 0 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, "");
  return `${shown}${UNITS[unit]}`;
}

export function percentText(percent: number): string {
  return `${Math.round(percent)}%`;
}

/** "3 d 4 h", "5 h 2 min", "40 s": the two largest units. */
export function durationText(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  if (days > 0) return `${days} d${hours % 24 === 0 ? "" : ` ${hours % 24} h`}`;
  if (hours > 0) return `${hours} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  return minutes > 0 ? `${minutes} min` : `${Math.round(seconds)} s`;
}

/** What a mount or a device is called may hold anything: one line, and nothing that turns it round. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (char) =>
    char === "\n" ? "\\n" : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
