import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { aColumn, renderWithHost, textType } from '../testing/web.tsx';
import { CellEditor } from './CellEditor.tsx';
import type { EditorProps, WebColumnType } from './extensions/index.ts';

afterEach(cleanup);

/** An editor of a type, which says what it holds as it is typed. */
function OwnEditor({ value, column, onChange }: EditorProps) {
  return (
    <input
      aria-label={column.title}
      defaultValue={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange({ kind: 'text', text: target.value })}
    />
  );
}

const own: WebColumnType = { ...textType, Editor: OwnEditor };

test.each([
  ['the text field', textType],
  ['the editor of a type', own],
])('%s holds what is typed until it is committed, and nothing that is taken back', async (_what, type) => {
  const onCommit = jest.fn();
  const onHold = jest.fn();
  renderWithHost(
    <CellEditor column={aColumn('cl_name', 'Name')} {...{ type, onCommit, onHold }} value="Ada" />,
    { registries: { columnTypes: [type] } },
  );
  const field = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.type(field, 'x');
  expect(onHold).toHaveBeenLastCalledWith(true);
  await userEvent.type(field, '{Backspace}');
  expect(onHold).toHaveBeenLastCalledWith(false);
  await userEvent.tab();
  expect(onCommit).not.toHaveBeenCalled();
  await userEvent.type(field, 'y');
  await userEvent.tab();
  expect(onCommit.mock.calls).toEqual([['Aday']]);
  expect(onHold).toHaveBeenLastCalledWith(false);
});

test.each([
  ['the text field', textType],
  ['the editor of a type', own],
])('%s does not write what it began with over what others stored meanwhile', async (_what, type) => {
  const onCommit = jest.fn();
  const onHold = jest.fn();
  function Shown() {
    const [value, setValue] = useState('Ada');
    return (
      <>
        <CellEditor column={aColumn('cl_name', 'Name')} {...{ type, value, onCommit, onHold }} />
        <button type="button" onFocus={() => setValue('Bob')}>
          Elsewhere
        </button>
      </>
    );
  }
  renderWithHost(<Shown />, { registries: { columnTypes: [type] } });
  const user = userEvent.setup();
  const field = () => screen.getByRole('textbox', { name: 'Name' });
  await user.type(field(), 'x');
  fireEvent.focus(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(field()).toHaveProperty('value', 'Adax');
  expect(screen.getByRole('status').textContent).toContain('Meanwhile this was stored: “Bob”');
  await user.type(field(), '{Backspace}');
  expect(field()).toHaveProperty('value', 'Bob');
  expect(screen.queryByRole('status')).toBeNull();
  expect(onHold).toHaveBeenLastCalledWith(false);
  await user.tab();
  expect(onCommit).not.toHaveBeenCalled();
});
