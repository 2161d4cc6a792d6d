export interface Lazy<T> {
  (): Promise<T>;
  /** What was opened, without opening it. */
  opened(): Promise<T | undefined>;
}

/** A failure is not kept: the next call tries again. */
export function lazily<T>(open: () => Promise<T>): Lazy<T> {
  let opening: Promise<T> | undefined;
  const get = () => {
    opening ??= open().catch((thrown: unknown) => {
      opening = undefined;
      throw thrown;
    });
    return opening;
  };
  return Object.assign(get, { opened: async () => opening });
}
