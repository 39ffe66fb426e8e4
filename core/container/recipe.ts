import type { Token } from './token.ts';

/** A need that is resolved when it is used, for services that need each other. */
export interface Later<T> {
  readonly kind: 'later';
  readonly token: Token<T>;
}

/** A need for all contributions to a token, in the order in which they were made. */
export interface Every<T> {
  readonly kind: 'every';
  readonly token: Token<T>;
}

export function later<T>(token: Token<T>): Later<T> {
  return { kind: 'later', token };
}

export function every<T>(token: Token<T>): Every<T> {
  return { kind: 'every', token };
}

/** The needs of a service, by the names under which its maker gets them. */
export type Needs = Readonly<Record<string, Token<unknown> | Later<unknown> | Every<unknown>>>;

/** The maker's argument: the service of a token, a function that returns it for `later`, a list for `every`. */
export type Needed<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends Later<infer T>
    ? () => T
    : N[Name] extends Every<infer T>
      ? readonly T[]
      : N[Name] extends Token<infer T>
        ? T
        : never;
};

/** How a service is made from others. Its needs are made first, so it is disposed before them. */
export interface Recipe<N extends Needs, T> {
  readonly needs: N;
  readonly make: (services: Needed<N>) => T | Promise<T>;
  /** Called once when the binding or the container is disposed, if the service was made; its needs still exist then. */
  readonly dispose?: (service: T, services: Needed<N>) => void | Promise<void>;
}
