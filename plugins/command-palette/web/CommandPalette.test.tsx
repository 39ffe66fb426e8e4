import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { keysText, type Command, type SearchSource, type WebRoute } from '@trellis/sdk/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CommandPalette from './CommandPalette.tsx';
import KeysDialog from './KeysDialog.tsx';

const route = (path: string, title: string, rest: Partial<WebRoute> = {}): WebRoute => ({
  id: path,
  path,
  title,
  Component: () => null,
  ...rest,
});

function show(options: {
  readonly commands?: readonly Command[];
  readonly sources?: readonly SearchSource[];
}) {
  const onClose = jest.fn();
  const result = renderWithHost(<CommandPalette onClose={onClose} />, {
    registries: {
      commands: options.commands ?? [],
      searchSources: options.sources ?? [],
      routes: [
        route('/projects', 'My Projects'),
        route('/projects/list', 'My Projects'),
        route('/nc/:projectId', 'Workspace'),
        route('/apps', 'App store', { access: 'superAdmin' }),
        route('/signin', 'Sign in', { access: 'guest', layout: 'empty' }),
        route('/forgot', 'Forgot your password?', { access: 'everyone', layout: 'empty' }),
      ],
    },
  });
  return { ...result, onClose, user: userEvent.setup() };
}

const names = () => screen.getAllByRole('option').map((option) => option.textContent);

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe('the palette', () => {
  test('finds what sources list, pages that one can go to, and commands with their keys', async () => {
    const run = jest.fn<Command['run']>();
    const { user, onClose } = show({
      sources: [
        {
          id: 'animals',
          label: 'Animals',
          list: () => Promise.resolve([{ id: 'a', label: 'Lion', open: () => undefined }]),
        },
      ],
      commands: [
        { id: 'dark', label: 'Switch to dark', keys: 'alt+shift+d', run },
        { id: 'never', label: 'Never offered', when: () => false, run },
      ],
    });
    await screen.findByRole('option', { name: /Lion/ });
    expect(names()).toEqual(['Lion', 'My Projects', 'Switch to darkAlt+Shift+D']);
    await user.keyboard('dark{Enter}');
    await waitFor(() => expect(run).toHaveBeenCalledTimes(1));
    expect(onClose).toHaveBeenCalled();
  });

  test('asks sources for what is typed, and shows nothing of what was typed before', async () => {
    const asked: string[] = [];
    const given = new Map<string, (labels: readonly string[]) => void>();
    const { user } = show({
      sources: [
        {
          id: 'stars',
          label: 'Stars',
          list: () => Promise.resolve([]),
          find(text, _context, { signal }) {
            asked.push(text);
            return new Promise((resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('typed on')));
              given.set(text, (labels) =>
                resolve(labels.map((label) => ({ id: label, label, open: () => undefined }))),
              );
            });
          },
        },
      ],
    });
    await user.keyboard('si');
    await waitFor(() => expect(asked).toEqual(['si']));
    expect(screen.getByText('Loading …')).toBeTruthy();
    await user.keyboard('r');
    await waitFor(() => expect(asked).toEqual(['si', 'sir']));
    given.get('sir')?.(['Sirius']);
    expect(await screen.findByRole('option', { name: 'Sirius' })).toBeTruthy();
    await user.keyboard('x');
    await screen.findByText('Loading …');
    expect(screen.queryByRole('option')).toBeNull();
    await waitFor(() => expect(asked).toContain('sirx'));
    given.get('sirx')?.([]);
    await screen.findByText('Nothing has such a name.');
  });

  test('puts what is found late behind what stands there already', async () => {
    let give: (() => void) | undefined;
    const { user, visited } = show({
      sources: [
        {
          id: 'stars',
          label: 'Stars',
          list: () => Promise.resolve([]),
          find: () =>
            new Promise((resolve) => {
              give = () => resolve([{ id: 'p', label: 'Projects of stars', open: () => undefined }]);
            }),
        },
      ],
    });
    await user.keyboard('proj');
    await waitFor(() => expect(give).toBeDefined());
    give?.();
    await screen.findByRole('option', { name: 'Projects of stars' });
    await user.keyboard('{Enter}');
    expect(visited).toEqual(['/projects']);
  });

  test('goes to a page', async () => {
    const { user, visited } = show({});
    await user.keyboard('proj{Enter}');
    expect(visited).toEqual(['/projects']);
  });

  test('a source that fails costs its own results and is reported', async () => {
    const { reports } = show({
      sources: [{ id: 'broken', label: 'Broken', list: () => Promise.reject(new Error('no')) }],
    });
    await waitFor(() =>
      expect(reports).toMatchObject([{ source: { registry: 'searchSources', id: 'broken' } }]),
    );
    expect(names()).toEqual(['My Projects']);
  });

  test('the list of keys is what the commands that are offered say', async () => {
    const run = jest.fn<Command['run']>();
    renderWithHost(<KeysDialog onClose={jest.fn()} />, {
      registries: {
        commands: [
          { id: 'redo', label: 'Redo', category: 'Rows', keys: ['mod+shift+z', 'mod+y'], run },
          { id: 'fill', label: 'Fill down', keys: 'mod+d', keysIn: 'Grid', run },
          { id: 'nameless', label: 'Without keys', run },
          { id: 'never', label: 'Never offered', keys: 'mod+j', when: () => false, run },
        ],
      },
    });
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect([...dialog.querySelectorAll('dl > div')].map((each) => each.textContent)).toEqual([
      'RedoCtrl+Shift+ZCtrl+Y',
      'Fill downCtrl+D',
    ]);
    expect([...dialog.querySelectorAll('h3')].map((each) => each.textContent)).toEqual(['Rows', 'Grid']);
  });

  test('keys are written as the keyboard has them', () => {
    const german: Readonly<Record<string, string>> = { Ctrl: 'Strg', Shift: 'Umschalt' };
    const written = [
      keysText('mod+shift+k', (text) => text, false),
      keysText('mod+shift+k', (text) => german[text] ?? text, false),
      keysText('mod+shift+k', (text) => german[text] ?? text, true),
    ];
    expect(written).toEqual(['Ctrl+Shift+K', 'Strg+Umschalt+K', '⌘⇧K']);
  });
});
