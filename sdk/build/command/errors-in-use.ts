import type { ListedPlugin, ProductClient } from './product-client.ts';

type ErrorInUse = NonNullable<ListedPlugin['errors']>[number];

/**
 * A plugin's errors in use, on the server and in browsers: the product keeps them on the plugin's card, with the place in the
 * sources.
 */
export class ErrorsInUse {
  readonly #product: ProductClient;
  #known: ReadonlySet<string> = new Set();

  constructor(product: ProductClient) {
    this.#product = product;
  }

  /** The errors since the last check, oldest first. If the product is away for a moment, the next build reports it. */
  async since(id: string): Promise<readonly ErrorInUse[]> {
    const plugin = await this.#product.find(id).catch(() => undefined);
    if (plugin === undefined) return [];
    const { errors = [] } = plugin;
    const fresh = errors.filter((error) => !this.#known.has(JSON.stringify(error))).toReversed();
    this.#known = new Set(errors.map((error) => JSON.stringify(error)));
    return fresh;
  }
}
