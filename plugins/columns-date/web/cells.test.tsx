import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CellEditor, defineWebColumnType, type WebColumnType } from '@trellis/sdk/web';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { time } from '../shared/index.ts';
import { StampCell, TimeCell, TimeEditor } from './cells.tsx';

afterEach(cleanup);

const of = (meta: Readonly<Record<string, unknown>>) =>
  aColumn('cl_1', 'Opens', { uidt: 'Time', storage: 'time', meta });
const drawn = { row: undefined, selected: false } as const;

test.each([
  ['HH:mm', '14:30'],
  ['HH:mm:ss', '14:30:00'],
  ['h:mm A', '2:30 PM'],
])('a time of a column that writes %s is shown as %s', (time_format, shown) => {
  renderWithHost(<TimeCell {...drawn} value="14:30:00" column={of({})} options={{ time_format }} />);
  expect(screen.getByText(shown)).toBeTruthy();
});

describe('the editor of a time', () => {
  const type: WebColumnType = defineWebColumnType({ ...time, Editor: TimeEditor });

  function show(value: string | null = '14:30:00') {
    const onCommit = jest.fn();
    const column = of({ time_format: 'h:mm A' });
    renderWithHost(
      <>
        <CellEditor {...{ column, type, value, onCommit }} />
        <button type="button">Elsewhere</button>
      </>,
    );
    return { onCommit, user: userEvent.setup(), input: screen.getByRole('textbox', { name: 'Opens' }) };
  }

  test('begins with the time as the column writes it, and reads every way to write one', async () => {
    const { onCommit, user, input } = show();
    expect(input).toHaveProperty('value', '2:30 PM');
    await user.clear(input);
    await user.type(input, '9:05');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).toHaveBeenCalledWith('09:05:00');
  });

  test('takes what is chosen from the clock, and goes on to the minutes', async () => {
    const { onCommit, user, input } = show(null);
    const clock = document.querySelector('input[type=time]') as HTMLInputElement;
    fireEvent.change(clock, { target: { value: '18:00:00' } });
    expect(input).toHaveProperty('value', '6:00 PM');
    expect(onCommit).not.toHaveBeenCalled();
    fireEvent.change(clock, { target: { value: '18:45:00' } });
    await user.click(input);
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).toHaveBeenLastCalledWith('18:45:00');
  });

  test('keeps what is no time, and says why', async () => {
    const { onCommit, user, input } = show();
    await user.clear(input);
    await user.type(input, 'noon');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(onCommit).not.toHaveBeenCalled();
    expect(screen.getByText('“Opens” must be a time such as 14:30.')).toBeTruthy();
  });
});

describe('when a row was made', () => {
  const moment = { date_format: 'YYYY-MM-DD', timezone: 'Europe/Berlin' };
  const show = (time_format: string) => {
    const options = { ...moment, time_format };
    renderWithHost(<StampCell {...drawn} value="2026-07-01 10:20:30" column={of({})} options={options} />);
    return screen.getByTitle(/Europe\/Berlin/);
  };

  test('is shown by the clocks of the column, to the minute', () => {
    expect(show('HH:mm').textContent).toBe('2026-07-01 12:20');
  });

  test('is shown to the second where the column asks for it, and on hovering', () => {
    expect(show('HH:mm:ss').textContent).toBe('2026-07-01 12:20:30');
    cleanup();
    expect(show('HH:mm').title).toContain('12:20:30');
  });
});
