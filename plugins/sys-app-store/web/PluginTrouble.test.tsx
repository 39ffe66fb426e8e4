import { afterEach, expect, jest, test } from '@jest/globals';
import type { PluginEntity } from '@trellis/sdk/shared';
import { renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { PluginTrouble } from './PluginTrouble.tsx';

const plugin = {
  id: 'column-stars',
  name: 'Stars',
  state: 'enabled',
  errors: [],
  notices: [],
  suspended: [],
  refusing: [],
  contributes: {},
  labels: {},
} as unknown as PluginEntity;

function show(more: Partial<PluginEntity>) {
  const onEnable = jest.fn();
  renderWithHost(
    <PluginTrouble plugin={{ ...plugin, ...more }} isBusy={false} isLocked={false} onEnable={onEnable} />,
    { registries: { commands: [{ id: 'stars.reset', label: 'Reset', run: () => undefined }] } },
  );
  return onEnable;
}

afterEach(cleanup);

test('a degraded plugin names what is out of service, why, and puts it back on demand', async () => {
  const error = { at: '2026-11-22T01:02:03Z', where: 'tap on rows.willCreate', message: 'no stars' };
  const onEnable = show({
    state: 'degraded',
    suspended: ['tap on rows.willCreate', "'Rating' in columnTypes"],
    errors: [error],
  });
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'new rows (tap on rows.willCreate)',
    "'Rating' in columnTypes",
  ]);
  expect(screen.getByText('The last error: no stars')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Put them back into service' }));
  expect(onEnable).toHaveBeenCalledTimes(1);
});

test('a degraded plugin that must be asked says that what it fails on is refused', async () => {
  const onEnable = show({
    state: 'degraded',
    refusing: ['tap on files.willPut', 'tap on acme.willTell'],
  });
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'where files are kept (tap on files.willPut)',
    'tap on acme.willTell',
  ]);
  expect(screen.getByText(/What it fails on is refused/)).toBeTruthy();
  expect(screen.queryByText(/out of service/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Mark as mended' }));
  expect(onEnable).toHaveBeenCalledTimes(1);
});

test('a plugin whose page half lacks what its manifest promises says which, beside what the server says', () => {
  show({
    notices: ['It needs settings before it can work: API key.'],
    contributes: {
      commands: ['stars.clear'],
      permissions: ['stars'],
      routes: ['/api/v1/stars'],
      'acme.own': ['mine'],
    },
  });
  const troubles = within(screen.getByRole('list', { name: 'This needs attention:' }));
  expect(troubles.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'It needs settings before it can work: API key.',
    "Its manifest promises 'stars.clear' in commands, which its page half does not register; update it, or tell its author.",
  ]);
});

test('a plugin that failed says how it may run again', () => {
  show({ state: 'failed', reason: 'out of paper' });
  const status = screen.getByRole('status');
  expect([...status.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'Failed. out of paper',
    'Mend what it says, or update the plugin, and switch it on again.',
  ]);
});

test('a plugin whose files are gone says so, also where nobody said why', () => {
  show({ state: 'missing' });
  expect(screen.getByRole('status').textContent).toContain('Missing. Its folder is gone from the server.');
});
