/** The plugin in which an error occurred, and the place. */
export interface ErrorOrigin {
  readonly owner: string;
  /** What ran when it failed, such as "hook rows.willCreate". */
  readonly where: string;
}

/** Causes that are looked through: those of a plugin's error may lead back to it, or on without end. */
const mostCauses = 100;

const origins = new WeakMap<object, ErrorOrigin>();

/** Records where an error came from, without changing the error. The first, innermost origin is kept. */
export function recordErrorOrigin(error: unknown, origin: ErrorOrigin): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, origin);
}

/** The plugin whose error reached the host, for the host's log. A refusal with another error as its cause has the origin of the cause. */
export function errorOrigin(error: unknown): ErrorOrigin | undefined {
  let at = error;
  for (let causes = 0; typeof at === 'object' && at !== null && causes < mostCauses; causes += 1) {
    const origin = origins.get(at);
    if (origin !== undefined) return origin;
    at = causeOf(at);
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
