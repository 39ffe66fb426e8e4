import { afterEach, expect, jest, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { renderWithHost } from '../../testing/web.tsx';
import type { ExportFormat } from '../extensions/export-formats.ts';
import { ExportButton } from './ExportButton.tsx';

afterEach(cleanup);

const csv: ExportFormat = { id: 'csv', label: 'CSV', extension: 'csv', icon: 'file', order: 10 };
const excel: ExportFormat = { ...csv, id: 'excel', label: 'Excel (.xlsx)', extension: 'xlsx', order: 20 };

function show(exportFormats: readonly ExportFormat[], download: (format: ExportFormat) => Promise<void>) {
  return renderWithHost(<ExportButton download={download} />, { registries: { exportFormats } });
}

test('downloads at once where there is one format', async () => {
  const download = jest.fn((_: ExportFormat) => Promise.resolve());
  show([csv], download);
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }));
  expect(download.mock.calls).toEqual([[csv]]);
});

test('offers the formats that plugins bring, and says why one could not be had', async () => {
  const download = jest.fn((_: ExportFormat) => Promise.reject(new Error('away')));
  const { toasts } = show([excel, csv], download);
  await userEvent.click(screen.getByRole('button', { name: 'Download' }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'CSV',
    'Excel (.xlsx)',
  ]);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Excel (.xlsx)' }));
  expect(download.mock.calls).toEqual([[excel]]);
  expect(toasts).toMatchObject([{ severity: 'error', summary: 'The rows could not be exported' }]);
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
});

test('is not there where nobody writes files', () => {
  show([], () => Promise.resolve());
  expect(screen.queryByRole('button')).toBeNull();
});
