/** The facts that decide the order of taps. */
export interface OrderedTap {
  readonly owner: string;
  readonly order: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Sorts taps: by `order`, then by registration, then moved as far as `before` and `after` demand and no further. Owners without a
 * tap here have no effect.
 *
 * @throws Error that names the owners when the constraints contradict each other.
 */
export function orderTaps<Tap extends OrderedTap>(hookId: string, taps: readonly Tap[]): readonly Tap[] {
  const sorted = [...taps].sort((left, right) => left.order - right.order);
  if (sorted.every((tap) => tap.before === undefined && tap.after === undefined)) return sorted;

  const waiting = new Set(moveForward(sorted));
  const ordered: Tap[] = [];
  while (waiting.size > 0) {
    // The first tap, in sorted order, that does not have to wait for another one.
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

/**
 * Moves a tap that must run before an owner to just before that owner's first tap, so that no other tap moves. A tap that must
 * run after an owner needs no such move: it waits.
 */
function moveForward<Tap extends OrderedTap>(sorted: readonly Tap[]): readonly Tap[] {
  const ranks = new Map(sorted.map((tap, index) => [tap, index]));
  const step = 1 / (sorted.length + 1);
  // A chain of such taps is in order after as many rounds as it has links. A contradiction never is, and is found later.
  for (let round = 0; round < sorted.length; round += 1) {
    for (const tap of sorted) {
      const targets = sorted.filter((other) => other !== tap && other.owner === tap.before);
      const earliest = Math.min(...targets.map((target) => (ranks.get(target) ?? 0) - step));
      ranks.set(tap, Math.min(ranks.get(tap) ?? 0, earliest));
    }
  }
  return [...sorted].sort((left, right) => (ranks.get(left) ?? 0) - (ranks.get(right) ?? 0));
}

function isBlocked<Tap extends OrderedTap>(tap: Tap, waiting: ReadonlySet<Tap>): boolean {
  for (const other of waiting) {
    if (other === tap || other.owner === tap.owner) continue;
    if (tap.after === other.owner || other.before === tap.owner) return true;
  }
  return false;
}
