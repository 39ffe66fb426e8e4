import { mostRowsOfEntry } from '../batch-rows.ts';
import type { EntryHead } from '../settled-log.ts';

/**
 * Sorts entries by their order of delivery: the projects take turns, the entries of one project keep their order.
 *
 * @param mostRows ends the list with the entry that reaches this number of rows
 */
export function inTurn(heads: readonly EntryHead[], mostRows: number): readonly EntryHead[] {
  const ofProjects = new Map<string, EntryHead[]>();
  for (const head of heads) {
    const own = ofProjects.get(head.projectId);
    if (own === undefined) ofProjects.set(head.projectId, [head]);
    else own.push(head);
  }
  const ordered: EntryHead[] = [];
  let rows = 0;
  for (let turn = 0; rows < mostRows && ordered.length < heads.length; turn += 1)
    for (const own of ofProjects.values()) {
      const head = own[turn];
      if (head === undefined || rows >= mostRows) continue;
      ordered.push(head);
      rows += Math.min(head.total, mostRowsOfEntry);
    }
  return ordered;
}

/**
 * The entries beyond a topic's position that were delivered already, because it was their project's turn. Another server, or this
 * one after a restart, delivers them again.
 */
export class DeliveredAhead {
  readonly #seqs = new Set<number>();

  has({ seq }: Pick<EntryHead, 'seq'>): boolean {
    return this.#seqs.has(seq);
  }

  add(heads: readonly Pick<EntryHead, 'seq'>[]): void {
    for (const { seq } of heads) this.#seqs.add(seq);
  }

  /** Drops what the position has reached. */
  forget(place: number): void {
    for (const seq of this.#seqs) if (seq <= place) this.#seqs.delete(seq);
  }
}
