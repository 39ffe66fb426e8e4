/**
 * The access token of this page.
 *
 * It lives in memory alone: what a script on the page could read from storage would survive the page. After a reload the
 * refresh cookie, which no script can read, gives a new one.
 */
export class AccessToken {
  #value: string | undefined;

  get(): string | undefined {
    return this.#value;
  }

  set(token: string): void {
    this.#value = token;
  }

  clear(): void {
    this.#value = undefined;
  }
}
