import type { ConfirmQuestion } from './host.tsx';

/**
 * What would lose unsaved input: leaving the `place` (its tab, view or address), or only leaving the `page`, if the input survives
 * a change of the place.
 *
 * @public
 */
export type LosingWay = 'place' | 'page';

interface Unsaved {
  readonly isUnsaved: () => boolean;
  readonly by: LosingWay;
  readonly question: () => ConfirmQuestion | undefined;
  /** The person agreed to lose it, and is leaving the place. */
  isGivenUp: boolean;
}

const entries = new Set<Unsaved>();

/**
 * Asks people before they leave while something would be lost: the page asks when they go to another tab, view or address, and the
 * browser asks, in its own words, before the page is left or reloaded.
 *
 * @param isUnsaved called at that moment; default: always
 * @param by what would lose it; default: leaving the place
 * @param question the page's question; default: whether to discard the input
 * @returns a function that ends this
 * @public
 */
export function askBeforeLeaving(
  isUnsaved: () => boolean = () => true,
  by: LosingWay = 'place',
  question: () => ConfirmQuestion | undefined = () => undefined,
): () => void {
  const entry: Unsaved = { isUnsaved, by, question, isGivenUp: false };
  const ask = (event: BeforeUnloadEvent): void => {
    if (isUnsaved()) event.preventDefault();
  };
  entries.add(entry);
  window.addEventListener('beforeunload', ask);
  return () => {
    entries.delete(entry);
    window.removeEventListener('beforeunload', ask);
  };
}

/** Whether leaving the open tab, view or address would lose something. @internal */
export function losesByLeaving(): boolean {
  return losing().length > 0;
}

/** Whether leaving the whole page, such as by signing out, would lose something. @internal */
export function losesByLeavingPage(): boolean {
  return [...entries].some(({ isUnsaved }) => isUnsaved());
}

/** The question before something is lost, if its owner has an own one. @internal */
export function ownLossQuestion(): ConfirmQuestion | undefined {
  const lost = [...entries].filter(({ isGivenUp, isUnsaved }) => !isGivenUp && isUnsaved());
  return lost.map(({ question }) => question()).find((question) => question !== undefined);
}

/** Called when the person agreed to lose the unsaved input of the open place: it is not asked about again. @internal */
export function giveUpUnsaved(): void {
  for (const entry of losing()) entry.isGivenUp = true;
}

/**
 * Called when another place is shown: what is still unsaved now was not part of the former place, or moved along, and is asked
 * about again. @internal
 */
export function arrivedElsewhere(): void {
  for (const entry of entries) entry.isGivenUp = false;
}

function losing(): readonly Unsaved[] {
  return [...entries].filter(({ by, isGivenUp, isUnsaved }) => by === 'place' && !isGivenUp && isUnsaved());
}
