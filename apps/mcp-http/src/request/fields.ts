export const LONGEST = 200;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text of 1 to 200 characters without control characters, such as a name. */
export function textOf(value: unknown): string | undefined {
  // oxlint-disable-next-line no-control-regex
  const fits = typeof value === "string" && value.length > 0 && value.length <= LONGEST && !/[\0-\x1f\x7f]/.test(value);
  return fits ? value : undefined;
}
