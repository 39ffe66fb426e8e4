import { toDisposable, type Disposable } from '@trellis/core';

/** Milliseconds after which the page is drawn even without the sheets. */
const preloadLimit = 5000;

/**
 * The media of a sheet that is loaded but inactive. `rel=preload` is not used, because browsers warn if the plugin starts late or
 * never.
 */
const notYet = 'not all';

/** Plugins' style sheets in the document. A shared sheet stays until its last plugin is gone. */
export class StyleSheets {
  readonly #document: Document;
  /** Loaded sheets that wait for a plugin that uses them. */
  readonly #fetched = new Map<string, HTMLLinkElement>();
  readonly #links = new Map<string, { readonly link: HTMLLinkElement; users: number }>();

  constructor(page: Document = document) {
    this.#document = page;
  }

  /** Loads sheets before they are needed, so that nothing is drawn without its style. A missing sheet is not an error. */
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
    if (this.#links.has(url) || this.#fetched.has(url)) return Promise.resolve();
    const link = this.#linkTo(url);
    link.media = notYet;
    this.#fetched.set(url, link);
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(finish, preloadLimit);
      link.addEventListener('load', finish);
      link.addEventListener('error', () => {
        // A plugin that uses it requests it again.
        if (this.#fetched.get(url) === link) {
          this.#fetched.delete(url);
          link.remove();
        }
        finish();
      });
      this.#document.head.append(link);
    });
  }

  #linkTo(url: string): HTMLLinkElement {
    const link = this.#document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    return link;
  }

  #acquire(url: string): void {
    const known = this.#links.get(url);
    if (known !== undefined) {
      known.users += 1;
      return;
    }
    const fetched = this.#fetched.get(url);
    const link = fetched ?? this.#linkTo(url);
    this.#fetched.delete(url);
    if (fetched === undefined) this.#document.head.append(link);
    else link.media = 'all';
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
