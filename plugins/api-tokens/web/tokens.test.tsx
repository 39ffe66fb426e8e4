import { afterEach, expect, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { TokenEntity } from '../shared/index.ts';
import OwnTokens from './OwnTokens.tsx';

const path = '/api/v1/db/meta/api-tokens';
const token: TokenEntity = {
  id: 'to_1',
  project_id: null,
  db_alias: null,
  description: 'Import',
  permissions: 'editor',
  token: 'tr_abcd…',
  expiry: null,
  enabled: true,
  created_at: '2026-11-01 10:00:00',
  updated_at: '2026-11-01 10:00:00',
  last_used_at: null,
  owner: { id: 'us_1', email: 'ann@example.com' },
};

afterEach(cleanup);

test('a token is made with a role and an end, and its text is shown this once', async () => {
  const whole = `tr_${'x'.repeat(37)}`;
  const { requests } = renderWithHost(<OwnTokens />, {
    api: { [`GET ${path}`]: [], [`POST ${path}`]: { ...token, token: whole } },
  });
  const user = userEvent.setup();
  expect(await screen.findByText('There is no token yet')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'New token' }));
  await user.type(await screen.findByLabelText('Name'), 'Import');
  await user.click(screen.getByRole('radio', { name: 'viewer' }));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Works for' }), '');
  await user.click(screen.getByRole('button', { name: 'Make the token' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Token')).value).toBe(whole);
  const sent = requests.find(({ method }) => method === 'POST');
  expect(sent?.body).toEqual({ description: 'Import', permissions: 'viewer', expiry: null });
});

test('nothing closes the dialog before the text of the new token was shown', async () => {
  let answer = () => {};
  const made = new Promise<TokenEntity>((resolve) => {
    answer = () => resolve({ ...token, token: 'tr_secret' });
  });
  renderWithHost(<OwnTokens />, { api: { [`GET ${path}`]: [], [`POST ${path}`]: () => made } });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  await user.type(await screen.findByLabelText('Name'), 'Import');
  await user.click(screen.getByRole('button', { name: 'Make the token' }));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await act(async () => answer());
  expect((await screen.findByLabelText<HTMLInputElement>('Token')).value).toBe('tr_secret');
});

test('a token is listed with what it may do, and deleted after a yes', async () => {
  const { requests, questions } = renderWithHost(<OwnTokens />, {
    api: { [`GET ${path}`]: [token], [`DELETE ${path}/to_1`]: 1 },
  });
  const user = userEvent.setup();
  expect(await screen.findByText('editor · all projects · without end · never used')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Delete the token Import' }));
  await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true));
  expect(questions[0]?.title).toBe('Delete the token Import?');
});
