import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CellEditor, defineWebColumnType, type WebColumnType } from '@trellis/sdk/web';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import plugin from './index.tsx';

/** A type as the page gets it from the plugin. */
function typeOf(id: string): WebColumnType {
  const types: WebColumnType[] = [];
  const register = (_registry: string, type: WebColumnType) => types.push(defineWebColumnType(type));
  void plugin.setup({ messages: () => undefined, register } as never);
  const type = types.find((of) => of.id === id);
  if (type === undefined) throw new Error(`no type ${id}`);
  return type;
}

afterEach(cleanup);

describe('the editor of passwords', () => {
  test('is covered until its eye is pressed, and commits what is typed', async () => {
    const onCommit = jest.fn();
    const column = aColumn('cl_1', 'Code', { uidt: 'Password' });
    renderWithHost(
      <>
        <CellEditor column={column} type={typeOf('Password')} value="open sesame" onCommit={onCommit} />
        <button type="button">Elsewhere</button>
      </>,
    );
    const user = userEvent.setup();
    const input = screen.getByLabelText('Code');
    expect(input).toHaveProperty('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(input).toHaveProperty('type', 'text');
    await user.click(screen.getByRole('button', { name: 'Cover' }));
    expect(input).toHaveProperty('type', 'password');
    await user.type(input, '!');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).toHaveBeenCalledWith('open sesame!');
  });
});

describe('phone numbers', () => {
  test('are written from left to right on a page that is read from right to left', () => {
    const { Cell } = typeOf('PhoneNumber');
    if (Cell === undefined) throw new Error('no cell');
    const column = aColumn('cl_1', 'Phone', { uidt: 'PhoneNumber' });
    renderWithHost(<Cell value="+49 151 23456789" row={{}} column={column} options={{}} selected={false} />);
    expect(screen.getByText('+49 151 23456789').dir).toBe('ltr');
  });
});
