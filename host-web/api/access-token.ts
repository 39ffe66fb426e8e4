/**
 * The access token of this page.
 *
 * It lives in memory alone: what a script on the page could read from storage would survive the page. After a reload the
 * refresh cookie, which no script can read, gives a new one.
 */
export class AccessToken {
  #value: string | undefined;
  #userId: string | undefined;

  get(): string | undefined {
    return this.#value;
  }

  /** `userId`: whose token it is, where whoever brings it knows. */
  set(token: string, userId?: string): void {
    this.#value = token;
    this.#userId = userId;
  }

  clear(): void {
    this.#value = undefined;
    this.#userId = undefined;
  }

  /** Whether it is known to be another person's: another tab signed in, and the cookie they share is that person's now. */
  isOfAnother(userId: string): boolean {
    return this.#userId !== undefined && this.#userId !== userId;
  }
}
