import type { RowData, RowSource } from './row-source.ts';
import type { RowWindow } from './row-window.ts';

/** The rows of one page among all. @public */
export interface RowPage {
  /** The index of the first one, from 0. */
  readonly start: number;
  /** The most rows. */
  readonly size: number;
}

/** The rows of one page of a window. Rows that were just added after the last one belong to the last page. @public */
export class PagedRows implements RowSource {
  readonly #window: RowWindow;
  readonly page: RowPage;

  constructor(window: RowWindow, page: RowPage) {
    this.#window = window;
    this.page = page;
  }

  get count(): number | undefined {
    const { count } = this.#window;
    if (count !== undefined) return this.#within(count);
    const known = this.#within(this.#window.atLeast);
    return known === this.page.size ? known : undefined;
  }

  get atLeast(): number {
    return this.#within(this.#window.atLeast);
  }

  get error(): Error | undefined {
    return this.#window.error;
  }

  get version(): number {
    return this.#window.version;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#window.subscribe(listener);

  rowAt(index: number): RowData | undefined {
    return index >= 0 && index < this.page.size ? this.#window.rowAt(this.page.start + index) : undefined;
  }

  indexOf(key: string): number | undefined {
    const place = this.#window.indexOf(key);
    return place === undefined ? undefined : this.shownAt(place);
  }

  wasDeleted(key: string): boolean {
    return this.#window.wasDeleted(key);
  }

  ensure(start: number, end: number): void {
    this.#window.ensure(this.page.start + start, this.page.start + Math.min(end, this.page.size));
  }

  load(start: number, end: number): Promise<void> {
    return this.#window.load(this.page.start + start, this.page.start + Math.min(end, this.page.size));
  }

  retry(): void {
    this.#window.retry();
  }

  /** The display index of a row of the window; undefined if it is on another page. */
  shownAt(place: number): number | undefined {
    const index = place - this.page.start;
    return index >= 0 && index < this.page.size ? index : undefined;
  }

  #within(rows: number): number {
    return Math.max(0, Math.min(this.page.size, rows - this.page.start));
  }
}
