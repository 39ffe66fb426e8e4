/** The plugin in which an error occurred, and the place. */
export interface ErrorOrigin {
  readonly owner: string;
  /** What ran when it failed, such as "hook rows.willCreate". */
  readonly where: string;
}

const origins = new WeakMap<object, ErrorOrigin>();

/** Records where an error came from, without changing the error. The first, innermost origin is kept. */
export function recordErrorOrigin(error: unknown, origin: ErrorOrigin): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, origin);
}

/** The plugin whose error reached the host, for the host's log. A refusal with another error as its cause has the origin of the cause. */
export function errorOrigin(error: unknown): ErrorOrigin | undefined {
  // The causes of a plugin's error may lead back to it.
  const seen = new Set<unknown>();
  for (let at = error; typeof at === 'object' && at !== null && !seen.has(at); at = causeOf(at)) {
    const origin = origins.get(at);
    if (origin !== undefined) return origin;
    seen.add(at);
  }
  return undefined;
}

function causeOf(error: object): unknown {
  try {
    return (error as { readonly cause?: unknown }).cause;
  } catch {
    return undefined;
  }
}
