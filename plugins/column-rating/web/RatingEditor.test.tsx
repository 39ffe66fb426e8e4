import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { CellValue } from '@trellis/sdk/shared';
import { CellEditor, defineWebColumnType, type WebColumnType } from '@trellis/sdk/web';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import plugin from './index.tsx';

afterEach(cleanup);

/** The type as the page gets it from the plugin. */
function ratingType(): WebColumnType {
  const types: WebColumnType[] = [];
  const register = (_registry: string, type: WebColumnType) => types.push(defineWebColumnType(type));
  void plugin.setup({ messages: () => undefined, register } as never);
  const [type] = types;
  if (type === undefined) throw new Error('no type');
  return type;
}

const type = ratingType();
const column = aColumn('cl_1', 'Stars', { uidt: 'Rating', storage: 'integer' });

function show(first: CellValue, rqd = false) {
  const onCommit = jest.fn();
  function Field() {
    const [value, setValue] = useState(first);
    return (
      <CellEditor
        column={{ ...column, rqd }}
        type={type}
        value={value}
        onCommit={(next) => {
          onCommit(next);
          setValue(next);
        }}
      />
    );
  }
  renderWithHost(<Field />);
  return { onCommit, user: userEvent.setup() };
}

const star = (count: number) => screen.getByRole('radio', { name: `${count} of 5` });
const chosen = () => screen.getAllByRole<HTMLInputElement>('radio').findIndex(({ checked }) => checked) + 1;

test('the stars of a form are chosen by a press, and taken away by another one', async () => {
  const { onCommit, user } = show(null);
  expect(screen.queryByRole('textbox')).toBeNull();
  await user.click(star(4));
  expect(chosen()).toBe(4);
  await user.click(star(4));
  expect(chosen()).toBe(0);
  expect(onCommit.mock.calls).toEqual([[4], [null]]);
});

/** What jsdom lacks, by which the arrow keys find the other radio buttons of a group. */
beforeAll(() => {
  Object.assign(window, { CSS: { escape: (text: string) => text } });
});

test('they are reached by Tab, walked by the arrow keys, and emptied by Delete', async () => {
  const { onCommit, user } = show(2);
  await user.tab();
  expect(document.activeElement).toBe(star(2));
  await user.keyboard('{ArrowRight}');
  expect(document.activeElement).toBe(star(3));
  await user.keyboard('{ArrowRight}{Delete}');
  expect(onCommit.mock.calls).toEqual([[3], [4], [null]]);
  expect(chosen()).toBe(0);
});

test('a key that leads to the stars that are chosen takes none of them away', () => {
  const { onCommit } = show(3);
  // As browsers tell of an arrow key that reaches a radio button.
  fireEvent.click(star(3), { detail: 0 });
  expect(chosen()).toBe(3);
  expect(onCommit).not.toHaveBeenCalled();
});

test('where the cell must not be empty, the stars stay and that is said', async () => {
  const { onCommit, user } = show(3, true);
  await user.click(star(3));
  expect(screen.getByText('“Stars” must not be empty.')).toBeTruthy();
  expect(chosen()).toBe(3);
  expect(onCommit).not.toHaveBeenCalled();
});
