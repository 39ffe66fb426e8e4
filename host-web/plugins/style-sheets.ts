import { toDisposable, type Disposable } from '@trellis/core';

/** Milliseconds; after that the page is drawn all the same. */
const preloadLimit = 5000;

/** Style sheets of plugins in the document. A sheet that several plugins share stays until the last one is gone. */
export class StyleSheets {
  readonly #document: Document;
  readonly #links = new Map<string, { readonly link: HTMLLinkElement; users: number }>();

  constructor(page: Document = document) {
    this.#document = page;
  }

  /** Fetches sheets before they are needed, so that nothing is drawn without its style. A missing one is no error. */
  async preload(urls: readonly string[]): Promise<void> {
    await Promise.all(urls.map((url) => this.#preload(url)));
  }

  add(urls: readonly string[]): Disposable {
    for (const url of urls) this.#acquire(url);
    return toDisposable(() => {
      for (const url of urls) this.#release(url);
    });
  }

  #preload(url: string): Promise<void> {
    if (this.#links.has(url)) return Promise.resolve();
    const link = this.#document.createElement('link');
    link.rel = 'preload';
    link.as = 'style';
    link.href = url;
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        link.remove();
        resolve();
      };
      const timer = setTimeout(finish, preloadLimit);
      link.addEventListener('load', finish);
      link.addEventListener('error', finish);
      this.#document.head.append(link);
    });
  }

  #acquire(url: string): void {
    const known = this.#links.get(url);
    if (known !== undefined) {
      known.users += 1;
      return;
    }
    const link = this.#document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    this.#document.head.append(link);
    this.#links.set(url, { link, users: 1 });
  }

  #release(url: string): void {
    const known = this.#links.get(url);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    known.link.remove();
    this.#links.delete(url);
  }
}
