import { resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { notePath, notesKind } from '../shared/index.ts';
import NoteTab from './NoteTab.tsx';

describeWebPlugin(resolve(import.meta.dirname, '..'));
afterEach(cleanup);

const tab = { type: notesKind, key: 'md_1', name: 'Orders' };
const text = 'Never delete one';

test("a note of 'objectKinds' is written by whoever may change its table", async () => {
  const project = aProject();
  const { requests } = renderWithHost(<NoteTab project={project} tab={tab} />, {
    project,
    api: ({ method }) => (method === 'PUT' ? {} : { text }),
  });
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Note');
  expect(field.value).toBe(text);
  fireEvent.change(field, { target: { value: 'Ask Ada' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const sent = { method: 'PUT', path: notePath('md_1'), body: { text: 'Ask Ada' } };
  await waitFor(() => expect(requests).toContainEqual(expect.objectContaining(sent)));
});

test('it is only read by others', async () => {
  const project = aProject({ role: 'viewer' });
  renderWithHost(<NoteTab project={project} tab={tab} />, { project, api: () => ({ text }) });
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
