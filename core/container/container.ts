import { Container as InversifyContainer } from 'inversify';
import { toDisposable, type Disposable } from '../lifecycle/disposable.ts';
import { tokenName, type Token } from './token.ts';

/** Makes a service on first use; it is kept until its binding is disposed. */
export type ServiceFactory<T> = (container: Container) => T;

/** How a service comes to be: made on first use, given, or a class whose constructor says `@inject(TOKEN)`. */
export type ServiceProvider<T> =
  ServiceFactory<T> | { readonly value: T } | { readonly class: new (...args: never[]) => T };

/** Services by token, over inversify. There is at most one provider per token and container. */
export class Container {
  readonly #inner: InversifyContainer;
  readonly #parent: Container | undefined;
  readonly #owners = new Map<Token<unknown>, string>();
  /** The tokens whose factories are running, outermost first; shared with the children. */
  readonly #resolving: Token<unknown>[];

  constructor(parent?: Container) {
    this.#parent = parent;
    this.#resolving = parent === undefined ? [] : parent.#resolving;
    // Not an inversify child: its parent would hold on to every child for ever.
    this.#inner = new InversifyContainer({ defaultScope: 'Singleton' });
  }

  /** How many services are bound here, the parent's not counted. */
  get size(): number {
    return this.#owners.size;
  }

  /**
   * Binds a service.
   *
   * @param owner who provides it, for messages.
   * @throws Error naming both owners when this container has a provider for the token already, and for a class in a
   * child container, whose constructor would not see the parent's services.
   */
  bind<T>(token: Token<T>, provider: ServiceProvider<T>, owner = 'the host'): Disposable {
    const earlier = this.#owners.get(token);
    if (earlier !== undefined) {
      throw new Error(
        `Service '${tokenName(token)}' of '${owner}' is already provided by '${earlier}'; disable one of the two.`,
      );
    }
    if (this.#parent !== undefined && typeof provider === 'object' && 'class' in provider) {
      throw new Error(
        `Service '${tokenName(token)}' is a class; bind it with a factory in a child container.`,
      );
    }
    const identifier = this.#bindInner(token, provider).getIdentifier();
    this.#owners.set(token, owner);
    return toDisposable(() => {
      this.#owners.delete(token);
      this.#inner.unbind(identifier);
    });
  }

  /**
   * The service of a token, from here or from the nearest parent.
   *
   * @throws Error naming the token when nobody provides it or when factories need each other in a circle.
   */
  get<T>(token: Token<T>): T {
    if (this.#owners.has(token)) return this.#inner.get<T>(token);
    if (this.#parent !== undefined) return this.#parent.get(token);
    throw new Error(
      `Nobody provides the service '${tokenName(token)}'; enable the plugin that does, or bind it in the host.`,
    );
  }

  /** Whether `get` would find a provider. */
  has(token: Token<unknown>): boolean {
    return this.#owners.has(token) || this.#parent?.has(token) === true;
  }

  /** A container that falls back to this one. It may be dropped without further ado. */
  child(): Container {
    return new Container(this);
  }

  #bindInner<T>(token: Token<T>, provider: ServiceProvider<T>) {
    const binding = this.#inner.bind<T>(token);
    if (typeof provider === 'function') return binding.toDynamicValue(() => this.#make(token, provider));
    if ('value' in provider) return binding.toConstantValue(provider.value);
    return binding.to(provider.class as new (...args: unknown[]) => T);
  }

  #make<T>(token: Token<T>, factory: ServiceFactory<T>): T {
    if (this.#resolving.includes(token)) {
      const path = [...this.#resolving.slice(this.#resolving.indexOf(token)), token]
        .map(tokenName)
        .join(' -> ');
      throw new Error(
        `Services need each other in a circle: ${path}; let one of them ask when it is called.`,
      );
    }
    this.#resolving.push(token);
    try {
      return factory(this);
    } finally {
      this.#resolving.pop();
    }
  }
}
