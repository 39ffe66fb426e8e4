/**
 * The name of a service, typed by the service.
 *
 * @public
 */
export type Token<T> = symbol & { readonly __type?: T };

const PREFIX = 'trellis.';

/** Makes a token. The same name always gives the same token, so that tokens from a second copy of the SDK also work. @public */
export function createToken<T>(name: string): Token<T> {
  return Symbol.for(PREFIX + name) as Token<T>;
}

/** The name that a token was made with. */
export function tokenName(token: Token<unknown>): string {
  const description = token.description ?? 'unnamed';
  return description.startsWith(PREFIX) ? description.slice(PREFIX.length) : description;
}
