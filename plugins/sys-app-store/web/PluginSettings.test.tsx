import { afterEach, expect, jest, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import PluginSettings from './PluginSettings.tsx';

const plugin = {
  id: 'app-post',
  name: 'Post',
  state: 'enabled',
  missingSettings: [],
} as unknown as PluginEntity;
const form = {
  schema: { type: 'object', properties: { host: { type: 'string', title: 'Server' } } },
  values: { host: 'a.example' },
  isSet: true,
  testable: false,
};

afterEach(cleanup);

test('settings that are not saved go by Escape only after a question, and are closed unasked once they are', async () => {
  const onClose = jest.fn();
  const { questions } = renderWithHost(<PluginSettings plugin={plugin} onClose={onClose} />, {
    confirm: () => false,
    api: () => form,
  });
  const user = userEvent.setup();
  const field = await screen.findByRole('textbox', { name: 'Server' });
  await user.type(field, '.org');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(questions).toHaveLength(1));
  expect(onClose).not.toHaveBeenCalled();
  expect(field).toHaveProperty('value', 'a.example.org');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(questions).toHaveLength(1);
});

test('the button that was pressed shows that it works, and no other one', async () => {
  let answer: () => void = () => undefined;
  renderWithHost(<PluginSettings plugin={plugin} onClose={() => undefined} />, {
    api: ({ method }) =>
      method === 'POST'
        ? new Promise((resolve) => (answer = () => resolve({ ok: true, message: 'Found it' })))
        : { ...form, testable: true },
  });
  const button = await screen.findByRole('button', { name: 'Test' });
  await userEvent.click(button);
  const turning = () => [...document.querySelectorAll('.pi-spinner')].map((icon) => icon.closest('button'));
  expect(turning()).toEqual([button]);
  await act(async () => answer());
  await screen.findByText('Found it');
  expect(turning()).toEqual([]);
});
