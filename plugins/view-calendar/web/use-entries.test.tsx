import { afterEach, expect, test } from '@jest/globals';
import { aColumn, renderWithHost } from '@trellis/sdk/testing/web';
import type { RowData, RowsClient } from '@trellis/sdk/web/rows';
import { cleanup, screen } from '@testing-library/react';
import { useEntries } from './use-entries.ts';

afterEach(cleanup);

const day = aColumn('cl_day', 'Day', { uidt: 'Date', storage: 'date' });
const state = aColumn('cl_state', 'State', {
  meta: { options: [{ id: 'sl_1', title: 'Open', color: '#cfdffe' }] },
});
const rows: readonly RowData[] = ['Open', null].map((value, at) => ({
  key: String(at + 1),
  values: { cl_day: '2026-06-10', cl_state: value },
}));

/** Says of each entry in which colour it is drawn. */
function Colours({ colorId }: { readonly colorId: string }) {
  const entries = useEntries({
    source: { rowAt: (index: number) => rows[index] } as RowsClient['source'],
    version: 1,
    shown: rows.length,
    range: {
      from: { id: day.id, unit: 'day', isWritten: true, show: String, read: (shown: string) => shown },
    },
    columns: [day, state],
    colorId,
    rowColors: { of: () => undefined } as never,
    mayMove: true,
  });
  return entries.map(({ id, ...look }) => <p key={id}>{'color' in look ? look.color : 'as all'}</p>);
}

const drawn = (colorId: string) => {
  renderWithHost(<Colours colorId={colorId} />);
  return screen.getAllByText(/./).flatMap((element) => (element.tagName === 'P' ? element.textContent : []));
};

test('among entries in the colours of a list, one without a value is quiet; without a list all are alike', () => {
  expect(drawn(state.id)).toEqual(['#cfdffe', 'var(--trellis-surface-3)']);
  cleanup();
  expect(drawn('')).toEqual(['as all', 'as all']);
});
