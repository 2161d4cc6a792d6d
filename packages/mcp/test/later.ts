export interface Later {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** Something a test waits for; Node 20 has no Promise.withResolvers. */
export function later(): Later {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
