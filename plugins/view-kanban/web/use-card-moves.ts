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
  /** The shown stacks in order. */
  readonly stacks: readonly Stack[];
  readonly isArranged: boolean;
  readonly mayMove: boolean;
  readonly words: Pick<ReturnType<typeof useStackWords>, 'titleOf' | 'partsOf' | 'nameOf'>;
  /** Called with a card's place after a move. */
  onMoved(this: void, place: DropPlace): void;
}

/** Moves cards, selected ones together: by dragging, by lifting or by a menu. */
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
    // Cards out of sight are assumed to be where they were when they were selected.
    return held === undefined ? (row.values[columnId] ?? null) : held.value;
  };
  const stackOf = (row: RowData) => stacks.findIndex(({ value }) => value === valueOf(row));
  const placeOf = (row: RowData) => rows.stacks.holding(row.key)?.window.indexOf(row.key) ?? 0;

  /** The selected cards in the board's order. */
  const selected = (): readonly RowData[] =>
    [...selection.rows.values()].sort((a, b) => stackOf(a) - stackOf(b) || placeOf(a) - placeOf(b));
  /** The cards that an action on one applies to: that card, or all selected ones if it is selected. */
  const meantBy = (row: RowData): readonly RowData[] => (selection.rows.has(row.key) ? selected() : [row]);

  /** The values that a cell would lose in another stack, besides the one that is replaced. */
  const lostBy = (row: RowData, to: Stack): readonly string[] => {
    const stay = partsOf(to.value);
    const lost = partsOf(valueOf(row)).filter((part) => !stay.includes(part));
    return lost.length > 1 ? lost : [];
  };

  /** Asks before cells lose several people at once: it is unknown from which of them the card is moved. */
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
    // Refused cards stay selected.
    selection.forget(moved);
    return moved;
  };

  return {
    selected,
    meantBy,
    /** Resolves to the number of moved cards. */
    async drop(row: RowData, place: DropPlace): Promise<number> {
      const moved = await move(meantBy(row), place);
      const held = rows.stacks.holding(row.key);
      const stack = stacks.find(({ value }) => value === held?.value);
      const index = held?.window.indexOf(row.key);
      if (moved.size > 0 && stack !== undefined && index !== undefined) onMoved({ stackId: stack.id, index });
      return moved.size;
    },
    /** The menu's stacks to move cards to. */
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
