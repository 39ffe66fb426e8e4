import { afterEach, expect, jest, test } from '@jest/globals';
import type { CardSelection } from '@trellis/sdk/web/cards';
import type { RowData, RowsClient } from '@trellis/sdk/web/rows';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { partsOfCell, type Stack } from './stack-list.ts';
import { useCardMoves } from './use-card-moves.ts';

afterEach(cleanup);

const stackOf = (value: string | null): Stack => ({ id: value ?? 'none', value });
const stacks = [null, 'ann', 'bob', 'cid', 'ann,bob', 'ann,cid'].map(stackOf);
const nameOf = (value: unknown) => `Mx ${String(value)}`;
const words = {
  nameOf,
  partsOf: (value: unknown) => partsOfCell(value, ','),
  titleOf: ({ value }: Stack) => value ?? 'nobody',
};

/** A board by people, of several in a cell, whose menu moves one card. */
function Board({ rows, cards }: { readonly rows: RowsClient; readonly cards: readonly RowData[] }) {
  const selection = { rows: new Map(), forget: () => undefined } as unknown as CardSelection;
  const moves = useCardMoves({
    rows,
    selection,
    stacks,
    words,
    columnId: 'who',
    isArranged: false,
    mayMove: true,
    onMoved: () => undefined,
  });
  return moves.actionsFor(cards).map(({ id, label, run }) => (
    <button key={id} onClick={run}>
      {label}
    </button>
  ));
}

function show(held: readonly string[], agrees: boolean) {
  const moveToStack = jest.fn((..._move: unknown[]) => Promise.resolve([]));
  const window = { indexOf: () => undefined, count: 0, atLeast: 0 };
  const rows = { stacks: { of: () => window, holding: () => undefined }, moveToStack };
  const cards = held.map((who, at): RowData => ({ key: String(at), values: { who } }));
  const memory = renderWithHost(<Board rows={rows as unknown as RowsClient} cards={cards} />, {
    confirm: () => agrees,
  });
  const moveTo = (title: string) => userEvent.click(screen.getByRole('button', { name: `Move to ${title}` }));
  return { ...memory, moveToStack, moveTo };
}

test.each([
  ['cid', 'Mx ann and Mx bob'],
  ['nobody', 'Mx ann and Mx bob'],
])(
  'a card of two people is moved to %s only after a question, since both are taken off it',
  async (to, lost) => {
    const refused = show(['ann,bob'], false);
    await refused.moveTo(to);
    await waitFor(() => expect(refused.questions).toMatchObject([{ message: `This takes away: ${lost}` }]));
    expect(refused.moveToStack).not.toHaveBeenCalled();
    cleanup();
    const agreed = show(['ann,bob'], true);
    await agreed.moveTo(to);
    await waitFor(() => expect(agreed.moveToStack).toHaveBeenCalledTimes(1));
  },
);

test.each([
  ['ann,bob', 'ann'],
  ['ann,bob', 'ann,cid'],
  ['ann', 'bob'],
  ['ann', 'nobody'],
  ['ann', 'ann,bob'],
])('a card of %s is moved to %s at once, where no more than one person is exchanged', async (held, to) => {
  const { moveToStack, moveTo, questions } = show([held], false);
  await moveTo(to);
  await waitFor(() => expect(moveToStack).toHaveBeenCalledTimes(1));
  expect(questions).toEqual([]);
});
