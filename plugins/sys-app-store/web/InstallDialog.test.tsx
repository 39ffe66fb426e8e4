import { afterEach, expect, jest, test } from '@jest/globals';
import { ApiError } from '@trellis/sdk/web';
import { renderWithHost, type MemoryHostOptions } from '@trellis/sdk/testing/web';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { OfferedProposal } from '../shared/index.ts';
import InstallDialog from './InstallDialog.tsx';

const proposal: OfferedProposal = {
  ticket: 'abc',
  id: 'acme',
  name: 'Acme',
  version: '1.0.0',
  description: 'Moods.',
  contributes: {
    columnTypes: ['Mood'],
    commands: ['acme.tell'],
    gauges: ['g'],
    pages: ['/acme'],
    permissions: ['moods'],
  },
  labels: { columnTypes: { Mood: 'How it is' }, permissions: { moods: 'See moods' } },
  paths: ['/api/v1/weather'],
  permissions: ['network'],
  hosts: ['api.acme.test'],
  tables: ['moods'],
  hooks: ['rows.willCreate', 'acme.willTell'],
  unagreed: {
    halves: [],
    hooks: ['rows.willCreate', 'acme.willTell'],
    paths: ['/api/v1/weather'],
    hosts: ['api.acme.test'],
    permissions: ['network'],
    tables: ['moods'],
  },
  settings: ['API key'],
  requiredSettings: ['API key'],
  halves: ['server', 'web'],
  bytes: 2048,
  files: 3,
  sha256: 'f00d',
  problems: [],
  isOlder: false,
  isRefused: false,
};
const nothing = { halves: [], hooks: [], paths: [], hosts: [], permissions: [], tables: [] };
const index = {
  address: 'https://example.test/plugins.json',
  list: [
    { id: 'acme', name: 'Acme', version: '1.0.0', description: 'Moods.', isUpdate: false },
    {
      id: 'moon',
      name: 'Moon',
      version: '2.0.0',
      installed: '1.0.0',
      description: 'Phases.',
      isUpdate: true,
    },
    { id: 'sun', name: 'Sun', version: '1.0.0', installed: '1.0.0', description: 'Hours.', isUpdate: false },
  ],
  passedOver: 1,
};

function open(answers: Readonly<Record<string, unknown>> = {}, options: MemoryHostOptions = {}) {
  const onInstalled = jest.fn();
  const all: Readonly<Record<string, unknown>> = {
    'GET /api/v1/app-store/index': index,
    'POST /api/v1/app-store/proposals': proposal,
    'POST /api/v1/app-store/index/proposals': proposal,
    'POST /api/v1/app-store/proposals/abc/install': { id: 'acme', name: 'Acme' },
    ...answers,
  };
  const api: MemoryHostOptions['api'] = ({ method, path }) => {
    const answer = all[`${method} ${path}`];
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'function') return (answer as () => unknown)();
    return answer ?? {};
  };
  const host = renderWithHost(<InstallDialog onClose={() => undefined} onInstalled={onInstalled} />, {
    api,
    ...options,
  });
  return { ...host, onInstalled, user: userEvent.setup() };
}

const chosen = (name: string) => new File(['bytes'], name);
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name });

afterEach(cleanup);

test('shows what a plugin asks for, and installs it once that is agreed to', async () => {
  const { user, requests, onInstalled } = open();
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme-1.0.0.tgz'));
  await screen.findByRole('dialog', { name: 'Install Acme 1.0.0?' });
  const facts = [...document.querySelectorAll('.store-facts > div')].map(({ textContent }) => textContent);
  expect(facts).toEqual([
    'What it addsColumn types: How it is; Commands: acme.tell; gauges: g; Pages: /acme',
    'Runsin the server, in the browser of everybody',
    'Can change or refusenew rows, acme.willTell',
    'Addresses of the product/api/v1/weather',
    'Hosts that it callsapi.acme.test',
    'Asks fornetwork',
    'Rights that it bringsSee moods',
    'Tables of its ownmoods',
    'SettingsAPI key',
    'Needed before it worksAPI key',
    'Size2 KB in 3 files',
    'Checksumf00d',
  ]);
  expect(screen.getByText(/Nobody has signed it/)).toBeTruthy();
  expect(
    screen.getByText(/runs inside the server with its rights\..* around the product, .* is not held back/),
  ).toBeTruthy();
  await user.click(await button('Install'));
  expect(requests.some(({ path }) => path.endsWith('/install'))).toBe(false);
  const agreement = screen.getByRole('checkbox', { name: /I agree to what it asks for:/ });
  expect(
    [...(agreement.closest('label')?.querySelectorAll('.store-asks > span') ?? [])].map(
      ({ textContent }) => textContent,
    ),
  ).toEqual([
    'Can change or refuse: new rows, acme.willTell',
    'Addresses of the product: /api/v1/weather',
    'Hosts that it calls: api.acme.test',
    'Asks for: network',
    'Tables of its own: moods',
  ]);
  await user.click(agreement);
  await user.click(await button('Install'));
  await waitFor(() => expect(onInstalled).toHaveBeenCalledTimes(1));
  expect(requests.find(({ path }) => path.endsWith('/install'))?.body).toEqual({
    consent: proposal.unagreed,
  });
});

test('says in words that a plugin may call every host', async () => {
  const hosts = ['*'];
  const calling = { ...proposal, hosts, unagreed: { ...nothing, hosts } };
  const { user } = open({ 'POST /api/v1/app-store/proposals': calling });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme-1.0.0.tgz'));
  const agreement = await screen.findByRole('checkbox', { name: /Hosts that it calls: any host/ });
  expect(agreement.closest('label')?.querySelector('code')).toBeNull();
  const facts = [...document.querySelectorAll('.store-facts > div')].map(({ textContent }) => textContent);
  expect(facts).toContain('Hosts that it callsany host');
});

test('says why an archive is refused, and takes another one', async () => {
  const { user } = open({
    'POST /api/v1/app-store/proposals': new ApiError(400, 'It is damaged.', 'ARCHIVE_OF_THE_TEST'),
  });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  expect((await screen.findByRole('alert')).textContent).toContain('It is damaged.');
  expect(await button('Choose a file')).toBeTruthy();
});

test('lists the index with what is installed and what can be updated', async () => {
  const { user, requests } = open();
  expect(await button('Install Acme 1.0.0')).toBeTruthy();
  expect(screen.getByText('Installed')).toBeTruthy();
  expect(screen.getByText(/1 entry of the index is for another version/)).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), 'phases');
  expect(screen.queryByRole('button', { name: 'Install Acme 1.0.0' })).toBeNull();
  await user.click(await button('Update Moon to 2.0.0'));
  await screen.findByRole('dialog', { name: 'Install Acme 1.0.0?' });
  expect(requests.at(-1)).toMatchObject({
    path: '/api/v1/app-store/index/proposals',
    body: { id: 'moon', version: '2.0.0' },
  });
});

test('gives back what nobody wants, and keeps the reason why an update was not taken', async () => {
  const { user, requests } = open({
    'POST /api/v1/app-store/proposals': {
      ...proposal,
      current: '0.9.0',
      unagreed: nothing,
      isOlder: false,
      isRefused: false,
    },
    'POST /api/v1/app-store/proposals/abc/install': new ApiError(500, 'Out of paper.', 'FAILED_IN_THE_TEST'),
  });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  await screen.findByRole('dialog', { name: 'Acme: 0.9.0 becomes 1.0.0?' });
  await user.click(await button('Update'));
  expect((await screen.findByRole('alert')).textContent).toContain('Out of paper.');
  await user.click(await button('Back'));
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
      '/api/v1/app-store/proposals/abc',
    ]),
  );
});

test.each([
  [
    'Out of paper (server/index.ts:61:47)',
    'Out of paper (server/index.ts:61:47). Version 0.9.0 stays in use.',
  ],
  ['Out of paper!', 'Out of paper! Version 0.9.0 stays in use.'],
])('ends the sentence of a failed update before the next: %s', async (message, told) => {
  const { user } = open({
    'POST /api/v1/app-store/proposals': { ...proposal, current: '0.9.0', unagreed: nothing },
    'POST /api/v1/app-store/proposals/abc/install': new ApiError(500, message, 'FAILED_IN_THE_TEST'),
  });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  await user.click(await button('Update'));
  expect((await screen.findByRole('alert')).textContent).toBe(told);
});

test.each([
  ['the installed one', { current: '1.2.0' }, 'Install Acme 1.0.0, older than the installed 1.2.0?'],
  [
    'what left its data here',
    { formerVersion: '1.2.0' },
    'Install Acme 1.0.0, older than 1.2.0, which was here before?',
  ],
])('calls a version that is older than %s so, and never an update', async (_, versions, title) => {
  const older = { ...proposal, ...versions, unagreed: nothing, isOlder: true };
  const { user } = open({ 'POST /api/v1/app-store/proposals': older });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  const dialog = await screen.findByRole('dialog', { name: title });
  expect(dialog.textContent).toContain('It is older than version 1.2.0');
  expect(dialog.textContent).toContain('what that one mended would be open again');
  expect(screen.queryByRole('button', { name: 'Update' })).toBeNull();
  expect(await button('Install the older version')).toBeTruthy();
});

test('gives nothing back while it is installed, and gives it back when that fails after the dialog was closed', async () => {
  let fail = (_error: Error): void => undefined;
  const { user, requests, unmount } = open({
    'POST /api/v1/app-store/proposals': { ...proposal, unagreed: nothing },
    'POST /api/v1/app-store/proposals/abc/install': () => new Promise((_, reject) => (fail = reject)),
  });
  const given = () => requests.filter(({ method }) => method === 'DELETE');
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  await user.click(await button('Install'));
  await waitFor(() => expect(requests.some(({ path }) => path.endsWith('/install'))).toBe(true));
  unmount();
  expect(given()).toEqual([]);
  fail(new ApiError(500, 'Out of paper.', 'FAILED_IN_THE_TEST'));
  await waitFor(() => expect(given()).toHaveLength(1));
});

test('asks about another signer than that of the version in use, and about what is asked for beyond what was agreed to', async () => {
  const signer = { publicKey: 'key', fingerprint: '0000 1111' };
  const formerSigner = { publicKey: 'former', fingerprint: '2222 3333' };
  const more = { ...nothing, hosts: ['more.acme.test'] };
  const { user, requests, onInstalled } = open({
    'POST /api/v1/app-store/proposals': {
      ...proposal,
      current: '0.9.0',
      unagreed: more,
      signer,
      formerSigner,
    },
  });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  expect(await screen.findByText('2222 3333')).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: /beyond what was agreed.*: more\.acme\.test$/ }));
  await user.click(await button('Update'));
  expect(requests.some(({ path }) => path.endsWith('/install'))).toBe(false);
  await user.click(screen.getByRole('checkbox', { name: /the signature has changed on purpose/ }));
  await user.click(await button('Update'));
  await waitFor(() => expect(onInstalled).toHaveBeenCalledTimes(1));
  expect(requests.find(({ path }) => path.endsWith('/install'))?.body).toMatchObject({
    formerSigner: 'former',
  });
});

test('shows the key of an unknown publisher as the settings of the app store take it, and of a known one the name', async () => {
  const signer = { publicKey: 'the whole key', fingerprint: '0000 1111' };
  const of = { ...proposal, unagreed: nothing, signer };
  const { user } = open({ 'POST /api/v1/app-store/proposals': of });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  expect(await screen.findByText('the whole key')).toBeTruthy();
  cleanup();
  open({ 'POST /api/v1/app-store/proposals': { ...of, publisher: 'Acme' } });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  expect(await screen.findByText(/Signed by Acme/)).toBeTruthy();
  expect(screen.queryByText('the whole key')).toBeNull();
});

test('refuses an unknown publisher where a known one is asked for', async () => {
  const signer = { publicKey: 'key', fingerprint: '0000 1111' };
  const { user, requests } = open({
    'POST /api/v1/app-store/proposals': { ...proposal, unagreed: nothing, signer, isRefused: true },
  });
  await user.upload(screen.getByLabelText('Archive of a plugin'), chosen('acme.tgz'));
  expect(await screen.findByText('0000 1111')).toBeTruthy();
  expect(screen.getByText('The settings of the App store ask for a known publisher.')).toBeTruthy();
  await user.click(await button('Install'));
  expect(requests.some(({ path }) => path.endsWith('/install'))).toBe(false);
});

/** A file as the browser gives those of a chosen folder. */
function inFolder(path: string, text: string): File {
  const file = new File([text], path.split('/').at(-1) ?? '');
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  // jsdom gives files no way to be read as a text.
  Object.defineProperty(file, 'text', { value: () => Promise.resolve(text) });
  return file;
}

test('brings a folder with what its archive would hold, and shows what the plugin asks for', async () => {
  const { requests } = open({ 'POST /api/v1/app-store/folder-proposals': proposal });
  const manifest = JSON.stringify({ id: 'acme', icon: 'acme.svg' });
  const files = [
    inFolder('acme/plugin.json', manifest),
    inFolder('acme/acme.svg', '<svg/>'),
    inFolder('acme/dist/web/index.js', 'code'),
    inFolder('acme/src/index.ts', 'source'),
    inFolder('acme/node_modules/dist/x.js', 'other'),
    inFolder('acme/dist/.cache/x.js', 'hidden'),
  ];
  // The kit for tests gives a chooser one file that does not say `multiple`, which a chooser of folders need not say.
  fireEvent.change(screen.getByLabelText('Folder of a plugin'), { target: { files } });
  await screen.findByRole('dialog', { name: 'Install Acme 1.0.0?' });
  const body = requests.find(({ path }) => path.endsWith('/folder-proposals'))?.body as FormData;
  const sizes = [manifest.length, 6, 4];
  expect(JSON.parse(body.get('files') as string)).toEqual(
    ['plugin.json', 'acme.svg', 'dist/web/index.js'].map((path, at) => ({ path, size: sizes[at] })),
  );
  expect((body.get('content') as File).size).toBe(manifest.length + 10);
});

test('takes a folder that is dropped', async () => {
  const { requests } = open({ 'POST /api/v1/app-store/folder-proposals': proposal });
  const file = (name: string, text: string) => ({
    name,
    isDirectory: false,
    file: (done: (file: File) => void) => done(new File([text], name)),
  });
  const folder = (name: string, entries: readonly object[]) => ({
    name,
    isDirectory: true,
    createReader() {
      const left = [entries, []];
      return { readEntries: (done: (some: readonly object[]) => void) => done(left.shift() ?? []) };
    },
  });
  const dropped = folder('acme', [
    file('plugin.json', '{}'),
    folder('dist', [folder('web', [file('index.js', 'code')])]),
    folder('node_modules', [file('dist', 'other')]),
  ]);
  const place = screen.getByText(/or drop the archive/).closest('.tr-file-drop');
  fireEvent.drop(place ?? document.body, {
    dataTransfer: { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => dropped }] },
  });
  await screen.findByRole('dialog', { name: 'Install Acme 1.0.0?' });
  const body = requests.find(({ path }) => path.endsWith('/folder-proposals'))?.body as FormData;
  expect(JSON.parse(body.get('files') as string)).toEqual([
    { path: 'plugin.json', size: 2 },
    { path: 'dist/web/index.js', size: 4 },
  ]);
});
