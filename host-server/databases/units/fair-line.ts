import { DatabaseError } from '../../sql/database-error.ts';

export interface FairLineLimits {
  /** Items that may wait in all. */
  readonly most: number;
  /** The most waiting items of one share. */
  readonly perShare: number;
  /** The error for items that get no turn. Default: a `DatabaseError` of kind `busy`. */
  readonly busy?: () => Error;
}

/** The share of the host itself. */
export const HOST_SHARE = '';

/**
 * A bounded waiting line in which shares take turns: a share with many items does not keep others from theirs. Items of one share
 * keep their order.
 */
export class FairLine<Item> {
  readonly #limits: FairLineLimits;
  /** In the order of turns; a served share moves to the end. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  constructor(limits: FairLineLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /** Throws the error of the limits when the line, or the share's part of it, is full. */
  assertRoom(share: string): void {
    const own = this.#lines.get(share)?.length ?? 0;
    if (this.#size >= this.#limits.most || own >= this.#limits.perShare) throw this.busy();
  }

  /** The error for items that get no turn. */
  busy(): Error {
    return this.#limits.busy?.() ?? new DatabaseError('busy');
  }

  /** Throws as `assertRoom`. */
  add(item: Item, share: string): void {
    this.assertRoom(share);
    const line = this.#lines.get(share);
    if (line === undefined) this.#lines.set(share, [item]);
    else line.push(item);
    this.#size += 1;
  }

  /** The next item. */
  peek(): Item | undefined {
    for (const line of this.#lines.values()) return line[0];
    return undefined;
  }

  /** Removes and returns the next item, skipping shares that may not have a turn now. */
  take(mayGo: (share: string) => boolean = () => true): Item | undefined {
    for (const [share, line] of this.#lines) {
      if (!mayGo(share)) continue;
      const item = line.shift();
      this.#lines.delete(share);
      if (line.length > 0) this.#lines.set(share, line);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Returns whether the item was still waiting. */
  remove(item: Item, share: string): boolean {
    const line = this.#lines.get(share);
    const place = line?.indexOf(item) ?? -1;
    if (line === undefined || place < 0) return false;
    line.splice(place, 1);
    if (line.length === 0) this.#lines.delete(share);
    this.#size -= 1;
    return true;
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const items = [...this.#lines.values()].flat();
    this.#lines.clear();
    this.#size = 0;
    return items;
  }
}
