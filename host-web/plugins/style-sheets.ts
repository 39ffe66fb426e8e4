import { toDisposable, type Disposable } from '@trellis/core';

/** Style sheets of plugins in the document. A sheet that several plugins share stays until the last one is gone. */
export class StyleSheets {
  readonly #document: Document;
  readonly #links = new Map<string, { readonly link: HTMLLinkElement; users: number }>();

  constructor(page: Document = document) {
    this.#document = page;
  }

  add(urls: readonly string[]): Disposable {
    for (const url of urls) this.#acquire(url);
    return toDisposable(() => {
      for (const url of urls) this.#release(url);
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
