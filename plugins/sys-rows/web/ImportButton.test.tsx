import { afterEach, expect, test } from '@jest/globals';
import { ApiError, type ImportFormat } from '@trellis/sdk/web';
import {
  aColumn,
  aProject,
  aTable,
  aView,
  renderWithHost,
  type MemoryHostOptions,
} from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ImportButton } from './ImportButton.tsx';

afterEach(cleanup);

const table = aTable([aColumn('cl_name', 'Name')]);
const lines: ImportFormat = {
  id: 'lines',
  label: 'JSON lines',
  extensions: ['jsonl'],
  icon: 'file',
  order: 10,
};
const sheet: ImportFormat = { ...lines, id: 'sheet', label: 'Sheet', extensions: ['ods', 'ots'], order: 20 };
const file = new File(['{"Name":"Ada"}'], 'people.jsonl');

function show(
  importFormats: readonly ImportFormat[],
  options: MemoryHostOptions = {},
  role: 'owner' | 'viewer' = 'owner',
) {
  const project = aProject({ role });
  const memory = renderWithHost(
    <ImportButton project={project} table={table} view={aView()} readOnly={false} />,
    { registries: { importFormats }, api: () => ({ id: 'tk_1' }), ...options },
  );
  return { ...memory, user: userEvent.setup() };
}

const chooser = () => screen.getByLabelText<HTMLInputElement>('File to import');

test('sends the file that somebody chose to what reads it, and says that its rows are coming', async () => {
  const { user, requests, toasts } = show([lines]);
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect(chooser().accept).toBe('.jsonl');
  await user.upload(chooser(), file);
  await waitFor(() =>
    expect(toasts).toMatchObject([{ summary: 'The rows of people.jsonl are being added' }]),
  );
  expect(requests).toMatchObject([
    { method: 'POST', path: '/api/v1/db/data/noco/p_1/md_1/import/lines', body: file },
  ]);
});

test('offers the kinds of files that plugins read, and says why one was refused', async () => {
  const { user, toasts } = show([sheet, lines], {
    api: () => {
      throw new ApiError(400, 'Line 2 is no object of JSON.');
    },
  });
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'JSON lines',
    'Sheet',
  ]);
  await user.click(screen.getByRole('menuitem', { name: 'Sheet' }));
  expect(chooser().accept).toBe('.ods,.ots');
  await user.upload(chooser(), new File([''], 'people.ods'));
  await waitFor(() =>
    expect(toasts).toMatchObject([
      {
        severity: 'error',
        summary: 'people.ods could not be imported',
        detail: 'Line 2 is no object of JSON.',
      },
    ]),
  );
});

test('is not there where nobody reads files, nor for whoever may not add rows', () => {
  show([]);
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  show([lines], {}, 'viewer');
  expect(screen.queryByRole('button')).toBeNull();
});
