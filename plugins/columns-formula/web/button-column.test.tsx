import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { CellValue } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, createMemoryHost, renderWithHost } from '@trellis/sdk/testing/web';
import { useState } from 'react';
import { button, type ButtonOptions } from '../shared/index.ts';
import { createButtonCell, createButtonField } from './ButtonCell.tsx';
import ButtonOptionsPanel from './ButtonOptionsPanel.tsx';
import { targetOf } from './press-button.ts';
import { Presses } from './presses.ts';

const defaults = button.options?.defaults as ButtonOptions;
/** Written in two parts, because the linter takes it for an address. */
const script = ['javascript', ''].join(':');
const title = aColumn('cl_1', 'Title');

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

function show(meta: Partial<ButtonOptions>, value: CellValue, api = {}) {
  const column = aColumn('cl_2', 'Press', { uidt: 'Button', virtual: true, meta });
  const memory = createMemoryHost({ api });
  const Field = createButtonField(new Presses(memory.host.api));
  const shown = renderWithHost(
    <Field
      project={aProject()}
      table={aTable([title, column])}
      column={column}
      rowKey="7"
      row={{ Title: 'a', Press: value }}
      value={value}
      readOnlyReason={undefined}
    />,
  );
  return { ...shown, sent: memory.requests, user: userEvent.setup() };
}

describe('a button of a row', () => {
  test('opens its link beside the page, which the other page cannot reach', async () => {
    const open = jest.spyOn(window, 'open').mockReturnValue(null);
    const { user } = show({ action: 'link', label: 'Search' }, 'https://example.com/?q=a');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(open.mock.calls).toEqual([['https://example.com/?q=a', '_blank', 'noopener,noreferrer']]);
  });

  test.each([
    null,
    '',
    `${script}alert(1)`,
    `${script.toUpperCase()}alert(1)`,
    'data:text/html,x',
    'file:///etc',
    'nowhere',
    7,
  ])('opens nothing for %s', (value) => {
    show({ action: 'link' }, value);
    expect(screen.getByRole('button', { name: 'Press' })).toHaveProperty('disabled', true);
    expect(targetOf(value)).toBeUndefined();
  });

  test('opens the address of a value of URL()', () => {
    expect(targetOf('URI::(https://example.com)')).toBe('https://example.com');
    expect(targetOf('mailto:ada@example.com')).toBe('mailto:ada@example.com');
  });

  test('is one button wherever it is drawn: a press under way holds the next one up', async () => {
    const column = aColumn('cl_2', 'Press', { uidt: 'Button', virtual: true, meta: { action: 'run' } });
    let answer = (_: unknown): void => undefined;
    const answered = new Promise((resolve) => {
      answer = resolve;
    });
    const { host, requests } = createMemoryHost({ api: () => answered });
    const presses = new Presses(host.api);
    const pressed = [1, 2, 3].map(() => presses.press({ column, rowKey: '7', row: {} }));
    const Cell = createButtonCell(presses);
    const cell = (rowKey: string) => (
      <Cell value={null} row={{}} rowKey={rowKey} column={column} options={defaults} selected={false} />
    );
    renderWithHost(
      <>
        {cell('7')}
        {cell('8')}
      </>,
    );
    const isOffered = () =>
      screen.getAllByRole('button').map((button) => button.getAttribute('aria-disabled') === 'false');
    expect(isOffered()).toEqual([false, true]);
    answer({ done: true });
    await act(() => Promise.all(pressed));
    expect(requests).toHaveLength(1);
    expect(isOffered()).toEqual([true, true]);
  });

  test('has its operation done for the row, once at a time', async () => {
    let answer = (_: unknown): void => undefined;
    const { user, sent } = show({ action: 'run', operation: 'approve', label: 'Approve' }, null, () => {
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    await user.dblClick(screen.getByRole('button', { name: 'Approve' }));
    expect(sent).toMatchObject([
      { method: 'POST', path: '/api/v1/plugins/columns-formula/columns/cl_2/press', body: { rowKey: '7' } },
    ]);
    // Whoever pressed it by the keyboard still stands on it.
    const button = screen.getByRole('button');
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    answer({ done: true });
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('false'));
  });
});

describe('the panel of a button', () => {
  function Panel({ onChange }: { readonly onChange: (options: ButtonOptions) => void }) {
    const [options, setOptions] = useState(defaults);
    return (
      <ButtonOptionsPanel
        options={options}
        project={aProject()}
        table={aTable([title])}
        columns={[title]}
        onChange={(next) => {
          setOptions(next);
          onChange(next);
        }}
      />
    );
  }

  test('takes an address as a formula, and what plugins bring', async () => {
    const onChange = jest.fn<(options: ButtonOptions) => void>();
    const path = `GET /api/v1/plugins/columns-formula/projects/${aProject().id}/button-operations`;
    renderWithHost(<Panel onChange={onChange} />, {
      registries: { formulaFunctions: [] },
      api: { [path]: { list: [{ id: 'approve', label: 'Approve the row' }] } },
    });
    const user = userEvent.setup();
    await user.type(screen.getByRole('textbox', { name: 'Text on the button' }), 'Go');
    await user.type(screen.getByLabelText('Formula'), '"x" & Nope');
    expect(onChange).toHaveBeenLastCalledWith({ ...defaults, label: 'Go', formula: '"x" & Nope' });
    expect(await screen.findByText(/There is no column 'Nope'/)).toBeTruthy();
  });

  test('asks what an act works with, and forgets it with the act', async () => {
    const onChange = jest.fn<(options: ButtonOptions) => void>();
    const acts = `GET /api/v1/plugins/columns-formula/projects/${aProject().id}/button-operations`;
    const choices = `GET /api/v1/plugins/columns-formula/tables/${aTable([title]).id}/button-operations/send`;
    renderWithHost(<Panel onChange={onChange} />, {
      registries: { formulaFunctions: [] },
      api: {
        [acts]: {
          list: [
            { id: 'approve', label: 'Approve the row' },
            { id: 'send', label: 'Send the row', choice_label: 'Webhook' },
          ],
        },
        [choices]: { list: [{ id: 'hk_1', label: 'To the shop' }] },
      },
    });
    const user = userEvent.setup();
    const choose = async (label: string, option: string) => {
      await screen.findByRole('option', { name: option });
      await user.selectOptions(screen.getByRole('combobox', { name: label }), option);
    };
    await choose('When pressed', 'Do something with the row');
    await choose('What is done', 'Send the row');
    await choose('Webhook', 'To the shop');
    expect(onChange).toHaveBeenLastCalledWith({
      ...defaults,
      action: 'run',
      operation: 'send',
      choice: 'hk_1',
    });
    await choose('What is done', 'Approve the row');
    expect(onChange).toHaveBeenLastCalledWith({ ...defaults, action: 'run', operation: 'approve' });
    expect(screen.queryByRole('combobox', { name: 'Webhook' })).toBeNull();
  });
});
