import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { fireEvent } from '@testing-library/react';
import { MyPluginPage } from './MyPluginPage.tsx';

const folder = resolve(import.meta.dirname, '..');

describeWebPlugin(folder);

test('the page counts the notes that were kept', async () => {
  let count = 0;
  const { findByText, getByRole } = renderWithHost(<MyPluginPage />, {
    api: {
      'GET /api/v1/plugins/my-plugin/notes': () => ({ count }),
      'POST /api/v1/plugins/my-plugin/notes': () => ({ count: (count += 1) }),
    },
  });
  expect(await findByText('0 notes')).toBeTruthy();
  fireEvent.click(getByRole('button', { name: 'Keep a note' }));
  expect(await findByText('1 note')).toBeTruthy();
});
