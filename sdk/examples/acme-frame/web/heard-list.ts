import type { LiveEvent } from '@trellis/sdk/shared';

/** What the page told of. */
export type Heard =
  'session began' | 'session expired' | 'signed out' | 'project opened' | `live: ${LiveEvent['kind']}`;

const most = 50;

/** The last things that were heard, as `useSyncExternalStore` reads them. */
export class HeardList {
  private list: readonly Heard[] = [];
  private readonly listeners = new Set<() => void>();

  readonly read = (): readonly Heard[] => this.list;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  add(what: Heard): void {
    this.list = [what, ...this.list].slice(0, most);
    for (const listener of this.listeners) listener();
  }
}
