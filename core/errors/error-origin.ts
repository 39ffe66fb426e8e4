/** Which plugin an error came out of, and where. */
export interface ErrorOrigin {
  readonly owner: string;
  /** What ran when it failed, such as "hook rows.willCreate". */
  readonly where: string;
}

const origins = new WeakMap<object, ErrorOrigin>();

/** Remembers where an error came from, without touching the error. The first, innermost origin stays. */
export function recordErrorOrigin(error: unknown, origin: ErrorOrigin): void {
  if (typeof error === 'object' && error !== null && !origins.has(error)) origins.set(error, origin);
}

/** The plugin that threw an error which reached the host, for its log; a refusal that names an error as its cause came from there. */
export function errorOrigin(error: unknown): ErrorOrigin | undefined {
  for (
    let at = error;
    typeof at === 'object' && at !== null;
    at = (at as { readonly cause?: unknown }).cause
  ) {
    const origin = origins.get(at);
    if (origin !== undefined) return origin;
  }
  return undefined;
}
