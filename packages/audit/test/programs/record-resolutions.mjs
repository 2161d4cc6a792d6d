let port;

export function initialize(data) {
  port = data.port;
}

/** Tells the main thread what is imported, in order. */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  port.postMessage(resolved.url);
  return resolved;
}
