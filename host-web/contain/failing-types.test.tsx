import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemClock } from '@trellis/core';
import type { WebColumnType } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, textType } from '@trellis/sdk/testing/web';
import { Grid } from '@trellis/sdk/web/grid';
import { MemoryRows } from '@trellis/sdk/web/rows';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createWebHost } from '../app/create-web-host.ts';
import { HostProvider } from '../app/HostProvider.tsx';
import { LocalMirror } from '../store/local-mirror.ts';

function openGrid(broken: Partial<WebColumnType>) {
  const host = createWebHost({ mirror: new LocalMirror(undefined), embedded: true, clock: systemClock });
  const types = host.registries.get('columnTypes');
  types.register({ ...textType, id: 'Stars', ...broken }, 'plugin-stars');
  const columns = [{ entity: aColumn('name', 'Name'), width: 80, type: types.get('Stars') }];
  const onCommitCells = jest.fn(() => Promise.resolve([]));
  render(
    <HostProvider parts={host}>
      <Grid
        label="People"
        project={aProject()}
        table={aTable([])}
        columns={columns}
        source={new MemoryRows([{ key: 'one', values: { name: 'row 0' } }])}
        onCommitCells={onCommitCells}
      />
    </HostProvider>,
  );
  return { host, onCommitCells, user: userEvent.setup() };
}

const fail = (): never => {
  throw new Error('no stars');
};

beforeEach(() => {
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

test.each<[string, () => never, string]>([
  ['throws', fail, 'no stars'],
  ['gives no answer', () => undefined as never, "'parse' gave undefined"],
])('a text that its type cannot read stays where it was typed when parse %s', async (_, parse, why) => {
  const { host, onCommitCells, user } = openGrid({ parse });
  await user.click(await screen.findByText('row 0'));
  await user.keyboard('many{Enter}');
  expect(screen.getByText('many').closest('[role=gridcell]')?.getAttribute('aria-invalid')).toBe('true');
  expect(onCommitCells).not.toHaveBeenCalled();
  await waitFor(() =>
    expect(host.diagnostics.list()).toMatchObject([
      { pluginId: 'plugin-stars', where: 'parse() of Stars', message: expect.stringContaining(why) },
    ]),
  );
});

test.each<[string, () => never, string]>([
  ['throws', fail, 'no stars'],
  ['gives no text', () => ({}) as never, "'format' gave {}"],
])(
  'a cell is shown and edited as it is stored when format %s, which is told once',
  async (_, format, why) => {
    const { host, onCommitCells, user } = openGrid({ format });
    await user.click(await screen.findByText('row 0'));
    await user.keyboard('{Enter}!{Enter}');
    expect(onCommitCells.mock.calls).toMatchObject([[[{ value: 'row 0!' }], {}]]);
    await waitFor(() =>
      expect(host.diagnostics.list()).toMatchObject([
        { pluginId: 'plugin-stars', where: 'format() of Stars', message: expect.stringContaining(why) },
      ]),
    );
  },
);
