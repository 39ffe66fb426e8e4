import { Container as InversifyContainer } from 'inversify';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { DisposableStore } from '../lifecycle/disposable-store.ts';
import type { Every, Needed, Needs, Recipe } from './recipe.ts';
import { tokenName, type Token } from './token.ts';

/** Makes a service when it is first used; the service is kept until its binding is disposed. */
export type ServiceFactory<T> = (container: Container) => T;

/** How a service is provided: made on first use, given, or made from other services. */
export type ServiceProvider<T, N extends Needs = Needs, Made extends T = T> =
  ServiceFactory<T> | { readonly value: T } | Recipe<N, Made>;

/** A need that must be ready before the service is made. */
type FirstNeed = Token<unknown> | Every<unknown>;

/** Services by token, over inversify. A service has one provider; a token for contributions may have many. */
export class Container {
  readonly #inner = new InversifyContainer({ defaultScope: 'Singleton' });
  readonly #owners = new Map<Token<unknown>, string>();
  /** The needs of services that are not made yet. A service leaves this map when it is made, since its needs are then ready. */
  readonly #needs = new Map<Token<unknown>, readonly FirstNeed[]>();
  /** The tokens of services that are being made, outermost first. */
  readonly #making: Token<unknown>[] = [];
  readonly #made = new DisposableStore();

  /** How many services are bound. */
  get size(): number {
    return this.#owners.size;
  }

  /**
   * Binds a service.
   *
   * @param owner the provider, for messages.
   * @returns a disposable that removes the binding, and disposes the service if its recipe made one.
   * @throws Error naming both owners when the token has a provider already.
   */
  bind<T, N extends Needs, Made extends T>(
    token: Token<T>,
    provider: ServiceProvider<T, N, Made>,
    owner = 'the host',
  ): Disposable {
    const earlier = this.#owners.get(token);
    if (earlier !== undefined) {
      throw new Error(
        `Service '${tokenName(token)}' of '${owner}' is already provided by '${earlier}'; disable one of the two.`,
      );
    }
    this.#owners.set(token, owner);
    const binding = this.#bindInner(token, provider);
    return toDisposable(() => {
      this.#owners.delete(token);
      return binding.dispose();
    });
  }

  /** Adds one of several contributions to a token. Recipes get all of them with `every(token)`; `get` does not return them. */
  contribute<T, N extends Needs, Made extends T>(token: Token<T>, recipe: Recipe<N, Made>): Disposable {
    return this.#bindRecipe(token, recipe);
  }

  /**
   * The service of a token.
   *
   * @throws Error naming the tokens when it or one of its needs has no provider, when services need each other in a cycle, and
   * when an asynchronous maker on the way has not finished: await `getAsync` before.
   */
  get<T>(token: Token<T>): T {
    this.#check(token, []);
    return this.#inner.get<T>(token);
  }

  /** The service of a token, once its makers and those of its needs have finished. Rejects where `get` throws. */
  async getAsync<T>(token: Token<T>): Promise<T> {
    this.#check(token, []);
    return this.#inner.getAsync<T>(token);
  }

  /** Whether somebody provides the token. */
  has(token: Token<unknown>): boolean {
    return this.#owners.has(token);
  }

  /**
   * Disposes all services that recipes made, the last one first. A service that is still being made is disposed once it is
   * finished.
   *
   * @throws AggregateError with all errors.
   */
  dispose(): Promise<void> {
    return this.#made.dispose();
  }

  #bindInner<T, N extends Needs, Made extends T>(
    token: Token<T>,
    provider: ServiceProvider<T, N, Made>,
  ): Disposable {
    if (typeof provider === 'object' && 'needs' in provider) return this.#bindRecipe(token, provider);
    const inner = this.#inner.bind<T>(token);
    const binding =
      typeof provider === 'function'
        ? inner.toDynamicValue(() => this.#make(token, () => provider(this)))
        : inner.toConstantValue(provider.value);
    const identifier = binding.getIdentifier();
    return toDisposable(() => this.#inner.unbind(identifier));
  }

  #bindRecipe<T, N extends Needs, Made extends T>(token: Token<T>, recipe: Recipe<N, Made>): Disposable {
    const { first, assemble } = this.#plan(recipe.needs);
    if (this.#owners.has(token)) this.#needs.set(token, first);
    let dispose: ((service: Made) => void | Promise<void>) | undefined;
    let made: Disposable | undefined;
    const binding = this.#inner
      .bind<Made>(token)
      .toResolvedValue(
        (...found: unknown[]) => {
          const services = assemble(found);
          if (recipe.dispose) dispose = (service) => recipe.dispose?.(service, services);
          return this.#make(token, () => recipe.make(services));
        },
        first.map((need) =>
          isEvery(need) ? { isMultiple: true as const, serviceIdentifier: need.token } : need,
        ),
      )
      .onActivation((_context, service) => {
        this.#needs.delete(token);
        if (dispose) made = this.#made.add(toDisposable(dispose.bind(undefined, service)));
        return service;
      });
    const identifier = binding.getIdentifier();
    return toDisposable(() => {
      this.#needs.delete(token);
      this.#inner.unbind(identifier);
      if (made !== undefined) this.#made.release(made);
      return made?.dispose();
    });
  }

  /** Splits needs into those that must be ready first, and a function that builds the maker's argument from their services. */
  #plan<N extends Needs>(needs: N) {
    const entries = Object.entries(needs);
    const first: FirstNeed[] = [];
    const picks = entries.map(
      ([name, need]): readonly [string, (services: readonly unknown[]) => unknown] => {
        if (typeof need === 'object' && need.kind === 'later')
          return [name, () => () => this.get(need.token)];
        const place = first.push(need) - 1;
        return [name, (services) => services[place]];
      },
    );
    return {
      first,
      assemble: (services: readonly unknown[]) =>
        Object.fromEntries(picks.map(([name, pick]) => [name, pick(services)])) as Needed<N>,
    };
  }

  /** Checks a token before anything is made, so that errors have our own messages instead of inversify's. */
  #check(token: Token<unknown>, path: readonly Token<unknown>[]): void {
    if (path.includes(token)) throw circle([...path.slice(path.indexOf(token)), token]);
    if (!this.#owners.has(token)) throw absent(token, path.at(-1));
    for (const need of this.#needs.get(token) ?? []) {
      if (!isEvery(need)) this.#check(need, [...path, token]);
    }
  }

  /** Detects makers that ask for each other while they run. */
  #make<T>(token: Token<unknown>, maker: () => T): T {
    const begun = this.#making.indexOf(token);
    if (begun !== -1) throw circle([...this.#making.slice(begun), token]);
    this.#making.push(token);
    try {
      return maker();
    } finally {
      this.#making.pop();
    }
  }
}

function isEvery(need: FirstNeed): need is Every<unknown> {
  return typeof need === 'object';
}

function circle(path: readonly Token<unknown>[]): Error {
  return new Error(
    `Services need each other in a circle: ${path.map(tokenName).join(' -> ')}; let one of them ask when it is called.`,
  );
}

function absent(token: Token<unknown>, by: Token<unknown> | undefined): Error {
  const needed = by === undefined ? '' : `, which '${tokenName(by)}' needs`;
  return new Error(
    `Nobody provides the service '${tokenName(token)}'${needed}; enable the plugin that does, or bind it in the host.`,
  );
}
