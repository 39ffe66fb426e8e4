/** The signal of one request. */
export interface RequestSignal {
  /** Made when somebody first asks for it: most calls are over before anybody could cancel them. */
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  /** The request is over; it no longer follows its plugin. */
  close(): void;
}

/**
 * Signals of requests that also end with the plugin that answers them. One listener per plugin serves all of its requests;
 * `AbortSignal.any` would cost more than the routing of a small one.
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
