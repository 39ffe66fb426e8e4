import { afterEach, expect, test } from '@jest/globals';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { createLinkCell, createLinkField } from './LinkCell.tsx';
import { LinkRequests } from './link-requests.ts';

afterEach(cleanup);

const project = aProject();
const tracks = aColumn('cl_link', 'Tracks', {
  uidt: 'LinkToAnotherRecord',
  virtual: true,
  storage: 'virtual',
  colOptions: { type: 'mm', fk_related_model_id: 'md_track' },
});
const playlists = aTable([aColumn('cl_id', 'Id', { uidt: 'ID', pk: true }), tracks]);
const linked = (count: number) => Array.from({ length: count }, (_, at) => ({ Id: at, Title: `Song ${at}` }));

function showCell(count: number): void {
  const LinkCell = createLinkCell(new LinkRequests());
  const row = { Id: 1, Tracks: linked(count) };
  renderWithHost(<LinkCell value={row.Tracks} row={row} column={tracks} options={{}} selected={false} />, {
    project,
  });
}

test('a cell says how many rows are linked beside those that it shows', () => {
  showCell(6);
  expect(screen.getByText('+4')).toBeTruthy();
});

test('a cell that may have more linked rows than it was given does not say how many', () => {
  showCell(25);
  const more = screen.getByText('25+');
  expect(more.title).toBe('25 rows or more are linked.');
  expect(screen.queryByText('+23')).toBeNull();
});

test('the row panel says that there are more than it shows', async () => {
  const LinkField = createLinkField(new LinkRequests());
  const row = { Id: 1, Tracks: linked(25) };
  renderWithHost(
    <LinkField
      project={project}
      table={playlists}
      column={tracks}
      rowKey="1"
      row={row}
      value={row.Tracks}
      readOnlyReason={undefined}
    />,
    { project, api: () => row },
  );
  expect(await screen.findByText('Song 24')).toBeTruthy();
  expect(screen.getByText('25+')).toBeTruthy();
});
