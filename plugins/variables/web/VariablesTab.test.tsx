import { afterEach, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import VariablesTab from './VariablesTab.tsx';

const project = aProject({ title: 'Shop', permissions: ['variableUse', 'variableSet'] });
const path = `/api/v1/plugins/variables/projects/${project.id}/variables`;
const key = { name: 'KEY', is_secret: true, value: null, updated_at: '2026-01-01T00:00:00.000Z' };
const place = { name: 'PLACE', is_secret: false, value: 'Bern', updated_at: '2026-01-01T00:00:00.000Z' };

function show(list: readonly object[]) {
  return renderWithHost(<VariablesTab project={project} />, {
    project,
    api: {
      [`GET ${path}`]: { list },
      [`POST ${path}`]: {},
      [`PATCH ${path}/KEY`]: {},
      [`PATCH ${path}/PLACE`]: {},
    },
  });
}

const changesOf = (requests: readonly { readonly method?: string; readonly body?: unknown }[]) =>
  requests.flatMap(({ method = 'GET', body }) => (method === 'GET' ? [] : [body]));

afterEach(cleanup);

test('a variable is kept, and how templates name it stands beside its name', async () => {
  const { requests } = show([]);
  await screen.findByText('There is no variable yet');
  await userEvent.click(screen.getByRole('button', { name: 'New variable' }));
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.type(dialog.getByLabelText(/^Name/), '1A');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText(/^A name begins with a letter/)).toBeTruthy();
  await userEvent.clear(dialog.getByLabelText(/^Name/));
  await userEvent.type(dialog.getByLabelText(/^Name/), 'KEY');
  expect(dialog.getByText('Messages name it as {{env.KEY}}.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('switch'));
  await userEvent.type(dialog.getByLabelText('Value'), 'sk-123456');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(changesOf(requests)).toEqual([{ name: 'KEY', value: 'sk-123456', is_secret: true }]);
});

test('a value keeps its line breaks, as a key has them', async () => {
  const { requests } = show([]);
  await userEvent.click(await screen.findByRole('button', { name: 'New variable' }));
  const dialog = within(screen.getByRole('dialog'));
  await userEvent.type(dialog.getByLabelText(/^Name/), 'KEY');
  await userEvent.click(dialog.getByRole('switch'));
  await userEvent.click(dialog.getByLabelText('Value'));
  await userEvent.paste('-----BEGIN-----\nAAAA\n-----END-----\n');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const value = '-----BEGIN-----\nAAAA\n-----END-----\n';
  expect(changesOf(requests)).toEqual([{ name: 'KEY', value, is_secret: true }]);
});

test('a secret is shown to nobody, stays where nothing is written, and is opened only with its value', async () => {
  const { requests } = show([key, place]);
  expect(await screen.findByText('Bern')).toBeTruthy();
  expect(screen.getByText('••• · secret')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'What to do with KEY' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Change' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByLabelText('Value')).toHaveProperty('value', '');
  await userEvent.click(dialog.getByRole('switch'));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText(/^Nobody reads the secret/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('switch'));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(changesOf(requests)).toEqual([{ is_secret: true }]);
});
