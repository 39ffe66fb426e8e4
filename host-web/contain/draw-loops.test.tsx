import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemClock, type Disposable } from '@trellis/core';
import type { TableEntity } from '@trellis/sdk/shared';
import { Contribution, useContributions } from '@trellis/sdk/web';
import { aColumn, aProject, aTable, textType } from '@trellis/sdk/testing/web';
import { Grid } from '@trellis/sdk/web/grid';
import { MemoryRows } from '@trellis/sdk/web/rows';
import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect, useState, type ReactNode } from 'react';
import { createWebHost } from '../app/create-web-host.ts';
import { HostProvider } from '../app/HostProvider.tsx';
import { LocalMirror } from '../store/local-mirror.ts';
import { watchDrawLoops } from './draw-loops.ts';

/** Draws itself in each effect. A thousand times, so that a test without the watch ends as well. */
function Looping() {
  const [count, setCount] = useState(0);
  // oxlint-disable-next-line react/set-state-in-effect, react-hooks/exhaustive-deps -- the loop is the test
  useEffect(() => setCount((before) => Math.min(before + 1, 1000)));
  return <p>{`Drawn ${count} times`}</p>;
}

function Button() {
  const [count, setCount] = useState(0);
  return <button onClick={() => setCount(count + 1)}>{`Clicked ${count} times`}</button>;
}

function Items() {
  return useContributions('shellItems').map(({ id, Component }) => (
    <Contribution key={id} registry="shellItems" id={id}>
      <Component />
    </Contribution>
  ));
}

const frozen = { ...systemClock, now: () => 0 };
let watch: Disposable;

function openPage(items: Readonly<Record<string, () => ReactNode>>) {
  const host = createWebHost({ mirror: new LocalMirror(undefined), embedded: true, clock: frozen });
  for (const [id, Component] of Object.entries(items))
    host.registries.get('shellItems').register({ id, slot: 'overlays', Component }, `plugin-${id}`);
  render(
    <HostProvider parts={host}>
      <Items />
    </HostProvider>,
  );
  return host;
}

beforeEach(() => {
  watch = watchDrawLoops(frozen);
  // React warns of the loop, which these tests expect.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  void watch.dispose();
  jest.restoreAllMocks();
});

test('an item in which something draws itself without end is taken out of service, and its plugin is named', () => {
  const host = openPage({
    loops: () => (
      <div>
        <Looping />
      </div>
    ),
    well: Button,
  });
  expect(screen.queryByText(/Drawn/)).toBeNull();
  expect(screen.getByRole('button', { name: 'Clicked 0 times' })).toBeTruthy();
  expect(host.diagnostics.list()).toMatchObject([
    {
      pluginId: 'plugin-loops',
      where: "'loops' in shellItems, which is out of service in this page now",
      message: 'It drew itself 200 times within a second',
    },
  ]);
});

test('a cell of a grid that draws itself without end is marked, and the grid and what holds it stay', async () => {
  const onCellError = jest.fn();
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  const columns = [
    { entity: aColumn('name', 'Name'), width: 80, type: textType },
    { entity: aColumn('stars', 'Stars'), width: 80, type: { ...textType, Cell: Looping } },
  ];
  const host = openPage({
    grid: () => (
      <Grid
        label="People"
        project={aProject()}
        table={aTable([])}
        columns={columns}
        source={new MemoryRows([{ key: 'one', values: { name: 'row 0' } }])}
        onCommitCells={() => Promise.resolve([])}
        onCellError={onCellError}
      />
    ),
  });
  await screen.findByText('row 0');
  await screen.findAllByRole('img', { name: /It drew itself 200 times within a second/ });
  expect(screen.getByText('row 0')).toBeTruthy();
  expect(onCellError.mock.calls).toEqual([['stars', expect.any(Error)]]);
  expect(host.diagnostics.list()).toEqual([]);
});

test('an item that others draw anew again and again stays', () => {
  const host = openPage({ well: Button });
  for (let count = 0; count < 300; count += 1)
    act(() => host.shell.setContext({ table: { id: `md_${count}` } as TableEntity }));
  expect(screen.getByRole('button', { name: 'Clicked 0 times' })).toBeTruthy();
  expect(host.diagnostics.list()).toEqual([]);
});
