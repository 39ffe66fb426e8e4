/**
 * The page's access token.
 *
 * It is kept only in memory: a script on the page could read it from storage, even after the page was closed. After a reload the
 * refresh cookie, which no script can read, gives a new token.
 */
export class AccessToken {
  #value: string | undefined;
  #userId: string | undefined;

  get(): string | undefined {
    return this.#value;
  }

  /** `userId`: the token's owner, if the caller knows it. */
  set(token: string, userId?: string): void {
    this.#value = token;
    this.#userId = userId;
  }

  clear(): void {
    this.#value = undefined;
    this.#userId = undefined;
  }

  /** Whether the token is known to be another person's: another tab signed in, and now the shared cookie is that person's. */
  isOfAnother(userId: string): boolean {
    return this.#userId !== undefined && this.#userId !== userId;
  }
}
