import { afterEach, expect, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import AppStorePage from './AppStorePage.tsx';

afterEach(() => {
  cleanup();
  document.documentElement.lang = '';
});

const nothing = { halves: [], hooks: [], paths: [], hosts: [], permissions: [], tables: [] };
const card = (id: string, name: string): PluginEntity => ({
  id,
  name,
  version: '1.1.0',
  versions: ['1.1.0', '1.0.0'],
  category: 'app',
  description: '',
  system: false,
  state: 'enabled',
  suspended: [],
  refusing: [],
  errors: [],
  notices: [],
  dependencies: [],
  dependents: [],
  contributes: {},
  labels: {},
  builtIn: false,
  hasSettings: false,
  missingSettings: [],
  unagreed: nothing,
});
const bread = { ...card('acme-bread', 'Bread'), dependents: ['acme-butter'] };
const butter = card('acme-butter', 'Butter');
const proposal = {
  ...nothing,
  ticket: 'abc',
  id: 'acme-jam',
  name: 'Jam',
  version: '1.0.0',
  description: 'Sweet.',
  contributes: { columnTypes: ['Jam'] },
  labels: { columnTypes: { Jam: 'Sort of jam' } },
  halves: ['web'],
  unagreed: nothing,
  settings: ['Fruit'],
  requiredSettings: ['Fruit'],
  bytes: 1,
  files: 1,
  sha256: 'f00d',
  problems: [],
  isOlder: false,
  isRefused: false,
};

const store = '/api/v1/app-store';
const answers: Readonly<Record<string, unknown>> = {
  [`GET ${store}/plugins`]: { list: [bread, butter], locked: false, safeMode: false },
  [`GET ${store}/words`]: {
    words: { 'acme-bread': { Bread: 'Brot' }, 'acme-butter': { Butter: 'Streichfett' } },
  },
  [`GET ${store}/tasks`]: { list: [] },
  [`GET ${store}/index`]: { list: [], passedOver: 0 },
  [`GET ${store}/plugins/acme-bread/usage`]: { usage: [] },
  [`GET ${store}/plugins/acme-bread/removal`]: {
    columns: [],
    usage: [],
    dependents: ['acme-butter'],
    tables: [],
    filters: [],
    inViews: [],
    values: 0,
    hasSettings: false,
  },
  [`POST ${store}/proposals`]: proposal,
  [`GET ${store}/proposals/abc/words`]: {
    words: { Jam: 'Marmelade', 'Sweet.': 'Süß.', 'Sort of jam': 'Sorte', Fruit: 'Frucht' },
  },
  [`POST ${store}/proposals/abc/install`]: card('acme-jam', 'Jam'),
};

function open() {
  document.documentElement.lang = 'de';
  const host = renderWithHost(<AppStorePage />, {
    api: ({ method, path }) => answers[`${method} ${path}`] ?? {},
    confirm: () => false,
  });
  return { ...host, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole('button', { name });

test('Dialogs and messages about a plugin call it as its folder does in the language of the page', async () => {
  const { user, questions, toasts } = open();
  await user.click(await screen.findByRole('switch', { name: 'Switch Brot off' }));
  await waitFor(() => expect(questions).toMatchObject([{ title: 'Switch Brot off?' }]));
  expect(JSON.stringify(questions)).toContain('Streichfett');
  await user.click(await button('Put Brot back to 1.0.0'));
  await waitFor(() => expect(toasts).toMatchObject([{ summary: 'Brot is now 1.0.0' }]));
  await user.click(await button('Remove Brot'));
  const dialog = await screen.findByRole('dialog', { name: 'Remove Brot for good?' });
  expect(await within(dialog).findByText(/go off as well: Streichfett/)).toBeTruthy();
});

test('A plugin that was brought is shown in its own words before it is installed', async () => {
  const { user, toasts } = open();
  await user.click(await button('Install'));
  const archive = new File(['x'], 'acme-jam-1.0.0.tgz');
  await user.upload(await screen.findByLabelText('Archive of a plugin'), archive);
  const sheet = await screen.findByRole('dialog', { name: 'Install Marmelade 1.0.0?' });
  expect(sheet.textContent).toMatch(/Süß.*Sorte.*Frucht/);
  await user.click(within(sheet).getByRole('button', { name: 'Install' }));
  await waitFor(() => expect(toasts).toMatchObject([{ summary: 'Marmelade is installed' }]));
});
