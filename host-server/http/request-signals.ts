/** The signal of one request. */
export interface RequestSignal {
  /** Created on first use: most calls end before anybody could cancel them. */
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  /** Called when the request is over; the signal then no longer follows the plugin. */
  close(): void;
}

/**
 * Signals of requests that also abort when the answering plugin stops. One listener per plugin serves all its requests;
 * `AbortSignal.any` would cost more than routing a small one.
 */
export class RequestSignals {
  readonly #followers = new WeakMap<AbortSignal, Set<AbortController>>();

  open(plugin: AbortSignal | undefined): RequestSignal {
    let controller: AbortController | undefined;
    let aborted: Error | undefined;
    let unfollow = (): void => {};
    const make = (): AbortController => {
      const made = new AbortController();
      if (plugin !== undefined) unfollow = this.#follow(plugin, made);
      if (aborted !== undefined) made.abort(aborted);
      return made;
    };
    return {
      get signal() {
        controller ??= make();
        return controller.signal;
      },
      abort(reason) {
        aborted = reason;
        controller?.abort(reason);
      },
      close: () => unfollow(),
    };
  }

  #follow(plugin: AbortSignal, follower: AbortController): () => void {
    if (plugin.aborted) {
      follower.abort(plugin.reason);
      return () => {};
    }
    const followers = this.#followers.get(plugin) ?? this.#listen(plugin);
    followers.add(follower);
    return () => void followers.delete(follower);
  }

  #listen(plugin: AbortSignal): Set<AbortController> {
    const followers = new Set<AbortController>();
    this.#followers.set(plugin, followers);
    plugin.addEventListener(
      'abort',
      () => {
        for (const follower of followers) follower.abort(plugin.reason);
        followers.clear();
      },
      { once: true },
    );
    return followers;
  }
}
