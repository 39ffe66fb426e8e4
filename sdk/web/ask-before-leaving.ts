import type { ConfirmQuestion } from './host.tsx';

/**
 * What loses something: leaving the `place` (its tab, view or address) or only leaving the `page`, where what is under way survives
 * the place.
 *
 * @public
 */
export type LosingWay = 'place' | 'page';

interface Unsaved {
  readonly isUnsaved: () => boolean;
  readonly by: LosingWay;
  readonly question: () => ConfirmQuestion | undefined;
  /** The person agreed to lose it, and is on the way to another place. */
  isGivenUp: boolean;
}

const entries = new Set<Unsaved>();

/**
 * Has people asked before they leave as long as something would be lost: by the page when they go to another tab, view or address of it,
 * and by the browser, in words of its own, before the page is left or loaded again.
 *
 * @param isUnsaved asked at that moment; left out: always
 * @param by what would lose it; left out: leaving the place
 * @param question what the page asks then; left out: whether what was entered is lost
 * @returns ends that
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

/** Whether something would be lost by leaving the open tab, view or address. @internal */
export function losesByLeaving(): boolean {
  return losing().length > 0;
}

/** Whether something would be lost by leaving the whole page, as by signing out. @internal */
export function losesByLeavingPage(): boolean {
  return [...entries].some(({ isUnsaved }) => isUnsaved());
}

/** What is asked before something is lost, in the words of whatever has some of its own. @internal */
export function ownLossQuestion(): ConfirmQuestion | undefined {
  const lost = [...entries].filter(({ isGivenUp, isUnsaved }) => !isGivenUp && isUnsaved());
  return lost.map(({ question }) => question()).find((question) => question !== undefined);
}

/** The person agreed to lose what is unsaved in the open place: nothing more is asked about it. @internal */
export function giveUpUnsaved(): void {
  for (const entry of losing()) entry.isGivenUp = true;
}

/** Another place is shown: what is still unsaved was not in the one before, or came along, and is asked about again. @internal */
export function arrivedElsewhere(): void {
  for (const entry of entries) entry.isGivenUp = false;
}

function losing(): readonly Unsaved[] {
  return [...entries].filter(({ by, isGivenUp, isUnsaved }) => by === 'place' && !isGivenUp && isUnsaved());
}
