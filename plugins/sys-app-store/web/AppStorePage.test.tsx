import { afterEach, describe, expect, test } from '@jest/globals';
import type { PluginEntity, PluginSettingsForm } from '@trellis/sdk/shared';
import { ApiError, type ApiRequest } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import AppStorePage from './AppStorePage.tsx';

const path = '/api/v1/app-store/plugins';
const stars = {
  id: 'column-stars',
  name: 'Stars',
  version: '1.0.0',
  description: 'Stars for a number.',
  category: 'column',
  system: false,
  state: 'enabled',
  hasSettings: true,
  contributes: {},
  labels: {},
  dependents: ['stars-report'],
  errors: [],
  notices: [],
  suspended: [],
  refusing: [],
  versions: [],
  builtIn: true,
  unagreed: { halves: [], hooks: [], paths: [], hosts: [], permissions: [], tables: [] },
  missingSettings: [],
} as unknown as PluginEntity;
const report = { ...stars, id: 'stars-report', name: 'Star report', hasSettings: false, dependents: [] };
const tables = { ...report, id: 'sys-tables', name: 'Tables', description: 'Tables.', system: true };

const form: PluginSettingsForm = {
  schema: { type: 'object', properties: { symbol: { type: 'string', title: 'Symbol' } } },
  values: { symbol: '*' },
  isSet: true,
  testable: true,
};

/** The page over a server that knows these three plugins. */
function openStore(options: MemoryHostOptions & { readonly locked?: boolean } = {}) {
  const { locked = false, ...rest } = options;
  const answers: Readonly<Record<string, unknown>> = {
    [`GET ${path}`]: { list: [tables, report, stars], locked, safeMode: false },
    [`GET ${path}/column-stars/usage`]: {
      usage: [{ message: '{{used}} in 1 table use Stars', params: { used: '2 columns' } }],
    },
    [`GET ${path}/column-stars/settings`]: form,
  };
  const api = (request: ApiRequest & { readonly method: string }) =>
    answers[`${request.method} ${request.path}`] ?? {};
  return { ...renderWithHost(<AppStorePage />, { api, ...rest }), user: userEvent.setup() };
}

const cardOf = async (name: string) => within(await screen.findByRole('article', { name }));

afterEach(cleanup);

describe('the app store', () => {
  test('is searched by what plugins do, and a plugin of the system has no switch', async () => {
    const { user } = openStore();
    expect((await cardOf('Tables')).queryByRole('switch')).toBeNull();
    await user.type(screen.getByRole('searchbox'), 'for a number star report');
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  });

  test('is led to by other pages: to a category of plugins, and to the settings of one', async () => {
    openStore({ route: '/app-store?category=system' });
    expect(await screen.findByText('No plugin is like that.')).toBeTruthy();
    cleanup();
    const { user } = openStore({ route: '/app-store?settings=column-stars' });
    const dialog = await screen.findByRole('dialog', { name: 'Settings of Stars' });
    expect(await within(dialog).findByLabelText('Symbol')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('tells how much memory all plugins share with the server', async () => {
    const memory = { used: 96 * 2 ** 20, limit: 2 * 2 ** 30, process: 180 * 2 ** 20 };
    openStore({ api: () => ({ list: [stars], locked: false, safeMode: false, memory }) });
    const note = await screen.findByText(/share its memory/);
    expect(note.textContent).toMatch(/holds 96 MB of 2 GB, the whole process has 180 MB\./);
    expect(note.textContent).not.toContain('estimated');
  });

  test('tells when a plugin failed as people write a moment', async () => {
    const error = { at: '2026-11-22T12:00:00.000Z', where: 'server', message: 'It broke.' };
    const list = [{ ...report, errors: [error] }];
    const { user } = openStore({ api: () => ({ list, locked: false, safeMode: false }) });
    await user.click((await cardOf('Star report')).getByText('1 error since the start'));
    const time = screen.getByText('It broke.', { exact: false }).querySelector('time');
    expect(time?.textContent).toMatch(/^Nov 22, 2026, /);
    expect(time?.dateTime).toBe(error.at);
  });

  test('stands by categories, and is narrowed to one of them and to what is on, off, installed or troubled', async () => {
    const chat = { ...report, id: 'channel-x', name: 'Talk', category: 'chat', state: 'disabled' };
    const odd = { ...report, id: 'odd', name: 'Odd', category: 'garden', reason: 'It broke.' };
    const wool = {
      ...report,
      id: 'wool',
      name: 'Wool',
      category: 'import',
      state: 'disabled',
      builtIn: false,
    };
    const weary = { ...report, id: 'weary', name: 'Weary', category: 'garden', state: 'degraded' };
    const unset = { ...report, id: 'unset', name: 'Unset', category: 'garden', notices: ['Nobody set it.'] };
    const gone = { ...report, id: 'gone', name: 'Gone', state: 'missing', builtIn: false };
    const list = [tables, chat, odd, wool, gone, stars, weary, unset] as unknown as readonly PluginEntity[];
    const { user } = openStore({ api: () => ({ list, locked: false, safeMode: false }) });
    await cardOf('Talk');
    const headings = () => screen.getAllByRole('heading', { level: 2 }).map((of) => of.textContent);
    const cards = () =>
      screen.getAllByRole('article').map((of) => within(of).getByRole('heading').textContent);
    expect(headings()).toEqual(['Column types 3', 'Chat 1', 'Import and export 1', 'Other 3']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Chat (1)');
    expect(cards()).toEqual(['Talk']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'All categories');
    await user.click(screen.getByRole('radio', { name: 'Off' }));
    expect(cards()).toEqual(['Gone', 'Talk', 'Wool']);
    await user.click(screen.getByRole('radio', { name: 'Installed' }));
    expect(cards()).toEqual(['Gone', 'Wool']);
    await user.click(screen.getByRole('radio', { name: 'Problems' }));
    expect(cards()).toEqual(['Gone', 'Odd', 'Unset', 'Weary']);
    await user.click(screen.getByRole('radio', { name: 'On' }));
    await user.type(screen.getByRole('searchbox'), 'nothing');
    await screen.findByText('No plugin is like that.');
  });

  test('says where nothing is installed that there is only what came with the product', async () => {
    const { user } = openStore();
    await user.click(await screen.findByRole('radio', { name: 'Installed' }));
    const text = 'Nothing is installed besides what came with the product.';
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('keeps the card and the focus of a plugin that is switched while those that are on are shown', async () => {
    let state = 'enabled';
    let answer = (): void => undefined;
    const { user, requests, toasts } = openStore({
      api: async ({ method, path: of }) => {
        if (of === path)
          return { list: [report, { ...stars, dependents: [], state }], locked: false, safeMode: false };
        if (method !== 'POST') return { usage: [] };
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        state = 'disabled';
        return {};
      },
    });
    await cardOf('Stars');
    await user.click(screen.getByRole('radio', { name: 'On' }));
    const toggle = screen.getByRole<HTMLInputElement>('switch', { name: 'Switch Stars off' });
    toggle.focus();
    await user.keyboard(' ');
    await waitFor(() => expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1));
    // A browser takes the focus from what is disabled.
    expect(toggle.disabled).toBe(false);
    expect(toggle.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard(' ');
    expect(toggle.checked).toBe(true);
    answer();
    expect(await screen.findByRole('switch', { name: 'Switch Stars on' })).toBe(toggle);
    expect(document.activeElement).toBe(toggle);
    expect(toasts.map(({ summary }) => summary)).toEqual(['Stars is off']);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await user.click(screen.getByRole('radio', { name: 'All' }));
    await user.click(screen.getByRole('radio', { name: 'On' }));
    expect(screen.queryByRole('article', { name: 'Stars' })).toBeNull();
  });

  test('says what switching off would touch, and takes those that need the plugin along', async () => {
    const { user, questions, requests, toasts } = openStore();
    await user.click((await cardOf('Stars')).getByRole('switch', { name: 'Switch Stars off' }));
    await waitFor(() => expect(toasts[0]?.summary).toBe('Stars is off'));
    expect(questions[0]?.title).toBe('Switch Stars off?');
    const { container } = renderWithHost(questions[0]?.message);
    expect(container.textContent).toMatch(/2 columns in 1 table use Stars.*Star report/);
    expect(requests.find((request) => request.path.endsWith('/disable'))?.body).toEqual({
      cascade: ['stars-report'],
    });
  });

  test('switches nothing off when the person thinks better of it, and nothing at all while it is locked', async () => {
    const { user, requests, unmount } = openStore({ confirm: () => false });
    await user.click((await cardOf('Stars')).getByRole('switch'));
    await waitFor(() => expect(screen.getAllByRole('switch')[1]?.getAttribute('aria-disabled')).toBeNull());
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
    unmount();
    openStore({ locked: true });
    expect((await cardOf('Stars')).getByRole<HTMLInputElement>('switch').disabled).toBe(true);
  });

  test('reads the plugins again, and tells what it found and what was not taken', async () => {
    const report = {
      added: ['acme'],
      changed: [],
      gone: [],
      failed: [{ id: 'moon', reason: 'out of paper' }],
    };
    const { user, toasts } = openStore({
      api: ({ method }) => (method === 'POST' ? report : { list: [stars], locked: false, safeMode: false }),
    });
    await user.click(await screen.findByRole('button', { name: 'Look again' }));
    await waitFor(() =>
      expect(toasts.map(({ summary, detail }) => [summary, detail])).toEqual([
        ['The plugins were read again', 'New: acme'],
        ['moon was not taken; what was there before is in service', 'out of paper'],
      ]),
    );
  });

  test('asks for the settings that a plugin needs, and for consent to what it asks for, before it is switched on', async () => {
    const asked = { ...stars.unagreed, paths: ['/api/v1/stars'], hosts: ['stars.test'] };
    const off = { ...stars, state: 'disabled', missingSettings: ['Symbol'], unagreed: asked };
    const { user, requests, questions } = openStore({
      api: ({ path: asked }) => (asked === path ? { list: [off], locked: false, safeMode: false } : form),
    });
    await user.click((await cardOf('Stars')).getByRole('switch', { name: 'Switch Stars on' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Stars' }));
    expect(await dialog.findByText(/^It needs these before it can work: Symbol/)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Save and switch on' }));
    await waitFor(() =>
      expect(requests.find((of) => of.path.endsWith('/enable'))?.body).toEqual({
        consent: asked,
      }),
    );
    expect(questions[0]?.title).toBe('Agree to what Stars asks for?');
  });

  test('says of a plugin that it is on in place of that it is off, and the other way round', async () => {
    let state = 'disabled';
    const { user, toasts } = openStore({
      api: ({ path: of }) => {
        if (of.endsWith('/enable')) state = 'enabled';
        if (of.endsWith('/disable')) state = 'disabled';
        if (of.endsWith('/usage')) return { usage: [] };
        return { list: [{ ...stars, dependents: [], state }], locked: false, safeMode: false };
      },
    });
    await user.click((await cardOf('Stars')).getByRole('switch', { name: 'Switch Stars on' }));
    await user.click(await screen.findByRole('switch', { name: 'Switch Stars off' }));
    await waitFor(() => expect(toasts).toHaveLength(2));
    const subject = 'plugin column-stars';
    expect(toasts).toMatchObject([
      { summary: 'Stars is on', subject },
      { summary: 'Stars is off', subject },
    ]);
  });

  test.each([
    ['web', 'whatever the person can who has the page open'],
    ['server', 'runs inside the server with its rights'],
  ])(
    'says what nothing holds back before a plugin is switched on that runs in the %s',
    async (half, says) => {
      const off = { ...stars, state: 'disabled', unagreed: { ...stars.unagreed, halves: [half] } };
      const { user, questions } = openStore({ api: () => ({ list: [off], locked: false, safeMode: false }) });
      await user.click((await cardOf('Stars')).getByRole('switch'));
      await waitFor(() => expect(questions).toHaveLength(1));
      const { container } = renderWithHost(<>{questions[0]?.message}</>);
      expect(container.textContent).toContain(says);
      expect(container.querySelectorAll('.tr-note')).toHaveLength(1);
    },
  );

  test('tries settings out once their plugin is on, and keeps the form open for those that do not work', async () => {
    let state = 'disabled';
    const outcomes = [
      { ok: false, message: 'Nobody answers there.' },
      { ok: true, message: 'It answers.' },
    ];
    const { user, requests, toasts } = openStore({
      api: ({ method, path: of }) => {
        if (of === path) return { list: [{ ...stars, state }], locked: false, safeMode: false };
        if (of.endsWith('/enable')) state = 'enabled';
        if (of.endsWith('/test')) return outcomes.shift();
        return method === 'GET' ? { ...form, testable: state === 'enabled' } : {};
      },
    });
    await user.click((await cardOf('Stars')).getByRole('button', { name: 'Settings of Stars' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Stars' }));
    await user.click(await dialog.findByRole('button', { name: 'Save and switch on' }));
    expect(await dialog.findByText('Nobody answers there.')).toBeTruthy();
    const calls = requests
      .filter(({ method }) => method !== 'GET')
      .map(({ path: of }) => of.split('/').at(-1));
    expect(calls).toEqual(['settings', 'enable', 'test']);
    await user.click(dialog.getByRole('button', { name: 'Test' }));
    expect(await dialog.findByText('It answers.')).toBeTruthy();
    expect(toasts.map(({ summary }) => summary)).toEqual(['The settings of Stars are saved', 'Stars is on']);
  });

  test('leads back to the version before', async () => {
    const updated = { ...stars, version: '1.1.0', versions: ['1.1.0', '1.0.0'] };
    const { user, requests } = openStore({
      api: () => ({ list: [updated], locked: false, safeMode: false }),
    });
    await user.click(await screen.findByRole('button', { name: 'Put Stars back to 1.0.0' }));
    await waitFor(() =>
      expect(requests.find((of) => of.path.endsWith('/use'))?.body).toEqual({
        version: '1.0.0',
        consent: {},
      }),
    );
  });

  test.each([
    [true, [{}, 'more']],
    [false, [{}]],
  ])(
    'asks about what another version asks for beyond what was agreed to: agreed %s',
    async (agrees, sent) => {
      const more = { ...stars.unagreed, hosts: ['more.test'] };
      const refusal = new ApiError(409, 'Nobody agreed.', 'PLUGIN_NEEDS_CONSENT', { unagreed: more });
      const updated = { ...stars, version: '1.0.0', versions: ['1.1.0', '1.0.0'] };
      const { user, requests, questions, toasts } = openStore({
        confirm: () => agrees,
        api: ({ path: of, body }) => {
          if (!of.endsWith('/use')) return { list: [updated], locked: false, safeMode: false };
          if (JSON.stringify(body).includes('more.test')) return {};
          throw refusal;
        },
      });
      await user.click(await screen.findByRole('button', { name: 'Use Stars 1.1.0' }));
      await waitFor(() => expect(questions).toMatchObject([{ title: 'Agree to what Stars asks for?' }]));
      await waitFor(() =>
        expect(requests.filter((of) => of.path.endsWith('/use')).map(({ body }) => body)).toEqual(
          sent.map((consent) => ({ version: '1.1.0', consent: consent === 'more' ? more : consent })),
        ),
      );
      expect(toasts.map(({ summary }) => summary)).toEqual(agrees ? ['Stars is now 1.1.0'] : []);
    },
  );

  test('keeps what was typed into settings that the server refuses, with the reason at the field', async () => {
    const problems = { '/symbol': 'must be one letter' };
    const { user, requests } = openStore({
      api: (request) => {
        if (request.method === 'PUT') {
          throw new ApiError(422, 'These settings cannot be saved.', 'SETTINGS_INVALID', { problems });
        }
        return request.path === path ? { list: [stars], locked: false, safeMode: false } : form;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Settings of Stars' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Stars' }));
    const symbol = await dialog.findByLabelText<HTMLInputElement>('Symbol');
    await user.type(symbol, '+');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText(/must be one letter/)).toBeTruthy();
    expect(symbol.value).toBe('*+');
    expect(requests.at(-1)?.body).toEqual({ input: { symbol: '*+' } });
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Settings of Stars' }));
  });

  test.each([
    ['nothing happens where the person says no', false],
    ['they are forgotten where the person says yes', true],
  ])('asks before it clears settings: %s', async (_, agrees) => {
    const { user, requests, questions, toasts } = openStore({ confirm: () => agrees });
    await user.click(await screen.findByRole('button', { name: 'Settings of Stars' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Stars' }));
    await user.click(await dialog.findByRole('button', { name: 'Clear the settings' }));
    expect(questions).toMatchObject([{ title: 'Clear the settings of Stars?', danger: true }]);
    const cleared = () => requests.filter(({ method }) => method === 'DELETE').map((of) => of.path);
    await waitFor(() => expect(cleared()).toEqual(agrees ? [`${path}/column-stars/settings`] : []));
    await waitFor(() =>
      expect(toasts.map(({ summary }) => summary)).toEqual(
        agrees ? ['The settings of Stars are cleared'] : [],
      ),
    );
    expect(screen.queryByRole('dialog') === null).toBe(agrees);
  });

  test('says why settings are not cleared that a plugin needs, and keeps what was typed', async () => {
    const { user } = openStore({
      api: (request) => {
        if (request.method === 'DELETE')
          throw new ApiError(
            409,
            "'Stars' is on and cannot work without Symbol.",
            'PLUGIN_NEEDS_SETTINGS',
            {},
          );
        return request.path === path ? { list: [stars], locked: false, safeMode: false } : form;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Settings of Stars' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Settings of Stars' }));
    const symbol = await dialog.findByLabelText<HTMLInputElement>('Symbol');
    await user.type(symbol, '+');
    await user.click(dialog.getByRole('button', { name: 'Clear the settings' }));
    expect(await dialog.findByText(/cannot work without Symbol/)).toBeTruthy();
    expect(symbol.value).toBe('*+');
  });

  test('settings that are opened again right after they were saved show what was saved, however late it is read', async () => {
    let symbol = '*';
    let read = Promise.resolve();
    const { user } = openStore({
      api: async (request) => {
        if (request.method === 'PUT') {
          ({ symbol } = (request.body as { readonly input: { readonly symbol: string } }).input);
          return {};
        }
        if (request.path === path) return { list: [stars], locked: false, safeMode: false };
        const values = { symbol };
        await read;
        return { ...form, values };
      },
    });
    const open = async () => {
      await user.click(await screen.findByRole('button', { name: 'Settings of Stars' }));
      return within(await screen.findByRole('dialog', { name: 'Settings of Stars' }));
    };
    const first = await open();
    await user.type(await first.findByLabelText('Symbol'), '+');
    let answer = (): void => undefined;
    read = new Promise((resolve) => {
      answer = resolve;
    });
    await user.click(first.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const again = await open();
    expect(again.queryByLabelText('Symbol')).toBeNull();
    answer();
    expect((await again.findByLabelText<HTMLInputElement>('Symbol')).value).toBe('*+');
  });
});

test('a card names what its plugin brings as people know it, not by ids', async () => {
  const labels = {
    columnTypes: { LinkToAnotherRecord: 'Link to another table' },
    permissions: { uploadViaURL: 'Upload from an address' },
  };
  const contributes = { columnTypes: ['LinkToAnotherRecord'], permissions: ['uploadViaURL', 'nameless'] };
  openStore({
    api: {
      'GET /api/v1/app-store/plugins': {
        list: [{ ...stars, contributes, labels }],
        locked: false,
        safeMode: false,
      },
    },
  });
  const added = within(await screen.findByRole('list', { name: 'What it adds' }));
  expect(added.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Link to another table']);
  expect(screen.getByText('Rights that it brings: Upload from an address')).toBeTruthy();
});

test('a card says what its plugin was called for, and what it holds in memory', async () => {
  const work = { calls: 4, milliseconds: 50, longest: 31.7 };
  openStore({
    api: {
      'GET /api/v1/app-store/plugins': {
        list: [
          { ...stars, work },
          { ...report, work: { ...work, calls: 1 } },
          { ...tables, state: 'disabled' },
          { ...tables, id: 'sys-rows', name: 'Rows' },
        ],
        locked: false,
        safeMode: false,
        memory: { used: 1, limit: 2, process: 3 },
      },
      'GET /api/v1/app-store/memory': {
        held: {
          at: '2026-11-22T12:00:00.000Z',
          bytes: { 'column-stars': 12_000_000, 'sys-tables': 4_000_000, 'sys-rows': 200_000 },
        },
      },
    },
  });
  const cardWith = async (name: string) => (await screen.findByRole('article', { name })).textContent;
  const figures = await screen.findByText(
    /4 calls since the start; an answer takes 13 ms, and took 32 ms at most\./,
  );
  expect(figures.textContent).not.toContain('memory');
  expect(await cardWith('Stars')).toContain('It holds about 11.4 MB of the server’s memory.');
  expect(await cardWith('Star report')).toContain('It holds less than 1 MB of the server’s memory.');
  expect(await cardWith('Tables')).toContain(
    'still holds about 3.8 MB of the server’s memory; a restart frees it',
  );
  expect(await cardWith('Rows')).not.toContain('memory');
  expect(screen.getByText(/share its memory/).textContent).toContain('estimated from samples');
});

/** Those that the book names to authors, under `category` of the manifest. */
const categories = 'app column view filter email chat storage import integration theme system'.split(' ');

test('every category that the book names has a heading in words', async () => {
  const list = categories.map((category) => ({ ...report, id: category, name: `Of ${category}`, category }));
  openStore({ api: { 'GET /api/v1/app-store/plugins': { list, locked: false, safeMode: false } } });
  await screen.findByRole('article', { name: 'Of import' });
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent ?? '');
  expect(headings).toHaveLength(categories.length);
  expect(headings.filter((heading) => /^[a-z]/.test(heading))).toEqual([]);
});
