import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { CellEditor, defineWebColumnType, readCell, type WebColumnType } from '@trellis/sdk/web';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { date, foreignKey, json, number } from '../shared/index.ts';
import { DateEditor } from './cells.tsx';
import { JsonEditor } from './JsonEditor.tsx';

const column = (uidt: string, storage: ColumnEntity['storage']): ColumnEntity =>
  ({ id: 'cl_1', title: 'Column', uidt, storage, rqd: false, meta: null }) as ColumnEntity;
const t = (text: string) => text;

afterEach(cleanup);

describe('what a person types', () => {
  test('is read by the storage of the column, not by the one that the type makes', () => {
    const key = defineWebColumnType({ ...foreignKey, Editor: 'text' });
    expect(readCell('DE', column('ForeignKey', 'string'), key, t)).toEqual({ ok: true, value: 'DE' });
    expect(readCell('DE', column('ForeignKey', 'integer'), key, t)).toMatchObject({ ok: false });
    const amount = defineWebColumnType({ ...number, Editor: 'text' });
    expect(readCell('1.5', column('Number', 'decimal'), amount, t)).toMatchObject({ ok: true });
    expect(readCell('1.5', column('Number', 'integer'), amount, t)).toMatchObject({ ok: false });
  });
});

describe('the editor of dates', () => {
  const type: WebColumnType = defineWebColumnType({ ...date, Editor: DateEditor });

  function show() {
    const onCommit = jest.fn();
    renderWithHost(
      <>
        <CellEditor column={column('Date', 'date')} type={type} value="2026-03-29" onCommit={onCommit} />
        <button type="button">Elsewhere</button>
      </>,
    );
    return { onCommit, user: userEvent.setup(), input: screen.getByRole('textbox', { name: 'Column' }) };
  }

  test('keeps a bad date and says why when the person goes elsewhere', async () => {
    const { onCommit, user, input } = show();
    await user.clear(input);
    await user.type(input, '31/31/2026');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).not.toHaveBeenCalled();
    expect(input).toHaveProperty('value', '31/31/2026');
    expect(screen.getByText('“Column” must be a date such as 2026-03-29.')).toBeTruthy();
  });

  test('keeps the focus in its text while its calendar is opened by the mouse', async () => {
    const showPicker = jest.fn();
    Object.assign(HTMLInputElement.prototype, { showPicker });
    const { user, input } = show();
    await user.click(input);
    await user.click(screen.getByRole('button', { name: 'Choose from a calendar' }));
    expect(showPicker).toHaveBeenCalledTimes(1);
    expect(document.activeElement).toBe(input);
  });

  test('takes a good one in any form that it reads', async () => {
    const { onCommit, user, input } = show();
    await user.clear(input);
    await user.type(input, '2026/4/1');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).toHaveBeenCalledWith('2026-04-01');
  });
});

describe('the editor of JSON', () => {
  const editor: WebColumnType = defineWebColumnType({ ...json, Editor: JsonEditor });

  test('stays open at the Escape of an input method, whose end is not that of the edit', () => {
    const onCancel = jest.fn();
    renderWithHost(
      <JsonEditor
        column={column('JSON', 'json')}
        options={{}}
        value={null}
        autoFocus
        onChange={() => undefined}
        onCommit={() => undefined}
        onCancel={onCancel}
      />,
    );
    const text = screen.getByRole('textbox', { name: 'Column' });
    fireEvent.keyDown(text, { key: 'Escape', isComposing: true });
    expect(onCancel).not.toHaveBeenCalled();
    fireEvent.keyDown(text, { key: 'Escape' });
    expect(onCancel).toHaveBeenCalledTimes(1);
  });

  test('goes on behind the first key, which opened it', () => {
    renderWithHost(
      <JsonEditor
        column={column('JSON', 'json')}
        options={{}}
        value={null}
        initialText='{"'
        autoFocus
        onChange={() => undefined}
        onCommit={() => undefined}
        onCancel={() => undefined}
      />,
    );
    const text = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Column' });
    expect(document.activeElement).toBe(text);
    expect([text.selectionStart, text.selectionEnd]).toEqual([2, 2]);
  });

  test('indents what is there, says where a text goes wrong, and keeps line breaks to itself', async () => {
    const onCommit = jest.fn<(value: unknown) => void>();
    renderWithHost(
      <>
        <CellEditor column={column('JSON', 'json')} type={editor} value={{ a: [1] }} onCommit={onCommit} />
        <button type="button">Elsewhere</button>
      </>,
    );
    const user = userEvent.setup();
    const text = screen.getByRole('textbox', { name: 'Column' });
    expect(text).toHaveProperty('value', '{\n  "a": [\n    1\n  ]\n}');
    await user.clear(text);
    await user.type(text, '[[1,{Enter}2');
    expect(screen.getByRole('status').textContent).toContain('line 2');
    expect(onCommit).not.toHaveBeenCalled();
    await user.type(text, ']');
    await user.click(screen.getByRole('button', { name: 'Indent' }));
    expect(text).toHaveProperty('value', '[\n  1,\n  2\n]');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).toHaveBeenCalledWith([1, 2]);
  });
});
