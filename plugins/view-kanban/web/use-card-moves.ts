import type { RowKey } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import type { CardSelection } from '@trellis/sdk/web/cards';
import type { RowData, RowsClient } from '@trellis/sdk/web/rows';
import { pageLanguage, type MenuAction } from '@trellis/sdk/web/ui';
import { moveCards } from './board-moves.ts';
import type { Stack } from './stack-list.ts';
import type { DropPlace } from './use-card-drag.ts';
import type { useStackWords } from './use-stack-words.ts';

interface MovesOf {
  readonly rows: RowsClient;
  readonly selection: CardSelection;
  /** The column of the stacks. */
  readonly columnId: string;
  /** Those that are shown, in their order. */
  readonly stacks: readonly Stack[];
  readonly isArranged: boolean;
  readonly mayMove: boolean;
  readonly words: Pick<ReturnType<typeof useStackWords>, 'titleOf' | 'partsOf' | 'nameOf'>;
  /** Hears where a card is once it was moved. */
  onMoved(this: void, place: DropPlace): void;
}

/** How cards are moved, those that are selected together: by dragging or lifting one of them, or by a menu. */
export function useCardMoves({
  rows,
  selection,
  columnId,
  stacks,
  isArranged,
  mayMove,
  words: { titleOf, partsOf, nameOf },
  onMoved,
}: MovesOf) {
  const host = useHost();
  const { t } = host;
  const valueOf = (row: RowData) => {
    const held = rows.stacks.holding(row.key);
    // What went out of sight is where it was when it was selected.
    return held === undefined ? (row.values[columnId] ?? null) : held.value;
  };
  const stackOf = (row: RowData) => stacks.findIndex(({ value }) => value === valueOf(row));
  const placeOf = (row: RowData) => rows.stacks.holding(row.key)?.window.indexOf(row.key) ?? 0;

  /** Those that are selected, in the order of the board. */
  const selected = (): readonly RowData[] =>
    [...selection.rows.values()].sort((a, b) => stackOf(a) - stackOf(b) || placeOf(a) - placeOf(b));
  /** What a person means by a card: it alone, or all that are selected with it. */
  const meantBy = (row: RowData): readonly RowData[] => (selection.rows.has(row.key) ? selected() : [row]);

  /** What a cell loses in another stack, where it is more than the one that the other takes the place of. */
  const lostBy = (row: RowData, to: Stack): readonly string[] => {
    const stay = partsOf(to.value);
    const lost = partsOf(valueOf(row)).filter((part) => !stay.includes(part));
    return lost.length > 1 ? lost : [];
  };

  /** Asks before cells lose several people at once: which of them the card is moved from cannot be told. */
  const mayLose = async (cards: readonly RowData[], to: Stack): Promise<boolean> => {
    const lost = cards.map((row) => (row.readOnly === true ? [] : lostBy(row, to)));
    const names = [...new Set(lost.flat())].map(nameOf);
    if (names.length === 0) return true;
    return host.confirm({
      title: t('Move to {{title}}', { title: titleOf(to) }),
      message: t('This takes away: {{list}}', {
        list: new Intl.ListFormat(pageLanguage(), { type: 'conjunction' }).format(names),
      }),
      confirmLabel: t('Move'),
    });
  };

  const move = async (
    cards: readonly RowData[],
    { stackId, index }: DropPlace,
  ): Promise<ReadonlySet<RowKey>> => {
    const to = stacks.find(({ id }) => id === stackId);
    if (to === undefined || !(await mayLose(cards, to))) return new Set();
    const moved = await moveCards(rows, { cards, to, index }, { isArranged, host });
    // Those that were refused stay selected.
    selection.forget(moved);
    return moved;
  };

  return {
    selected,
    meantBy,
    /** Resolves with how many cards were moved. */
    async drop(row: RowData, place: DropPlace): Promise<number> {
      const moved = await move(meantBy(row), place);
      const held = rows.stacks.holding(row.key);
      const stack = stacks.find(({ value }) => value === held?.value);
      const index = held?.window.indexOf(row.key);
      if (moved.size > 0 && stack !== undefined && index !== undefined) onMoved({ stackId: stack.id, index });
      return moved.size;
    },
    /** The stacks that cards can be moved to by a menu. */
    actionsFor(cards: readonly RowData[]): readonly MenuAction[] {
      if (!mayMove || cards.every(({ readOnly }) => readOnly === true)) return [];
      const isElsewhere = (stack: Stack) => cards.some((row) => valueOf(row) !== stack.value);
      return stacks.filter(isElsewhere).map((stack, at) => ({
        id: `to ${stack.id}`,
        label: t('Move to {{title}}', { title: titleOf(stack) }),
        icon: 'arrow-right',
        startsGroup: at === 0,
        run: () => void move(cards, { stackId: stack.id, index: 0 }),
      }));
    },
  };
}
