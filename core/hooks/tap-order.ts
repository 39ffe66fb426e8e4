/** What the order of taps depends on. */
export interface OrderedTap {
  readonly owner: string;
  readonly order: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Sorts taps: by `order`, then by registration, then moved as far as `before` and `after` demand and no further.
 * An owner that has no tap here constrains nothing.
 *
 * @throws Error that names the owners when the constraints contradict each other.
 */
export function orderTaps<Tap extends OrderedTap>(hookId: string, taps: readonly Tap[]): readonly Tap[] {
  const sorted = [...taps].sort((left, right) => left.order - right.order);
  if (sorted.every((tap) => tap.before === undefined && tap.after === undefined)) return sorted;

  const waiting = new Set(sorted);
  const ordered: Tap[] = [];
  while (waiting.size > 0) {
    // The first tap, in sorted order, that nothing still waiting must precede.
    const next = [...waiting].find((tap) => !isBlocked(tap, waiting));
    if (next === undefined) {
      const owners = [...new Set([...waiting].map((tap) => tap.owner))];
      throw new Error(
        `The taps of ${owners.map((owner) => `'${owner}'`).join(', ')} on hook '${hookId}' ask to run before ` +
          `and after each other; drop one 'before' or 'after' among them.`,
      );
    }
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

function isBlocked<Tap extends OrderedTap>(tap: Tap, waiting: ReadonlySet<Tap>): boolean {
  for (const other of waiting) {
    if (other === tap || other.owner === tap.owner) continue;
    if (tap.after === other.owner || other.before === tap.owner) return true;
  }
  return false;
}
