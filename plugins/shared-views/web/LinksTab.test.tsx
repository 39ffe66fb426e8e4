import { afterEach, expect, test } from '@jest/globals';
import { aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import LinksTab from './LinksTab.tsx';

const project = aProject();
const link = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  _ptn: 'City',
  fk_model_id: 'md_1',
  view_type: 'grid',
  uuid: `uuid of ${id}`,
  password: null,
  expires_at: null,
  meta: {},
  visits: { total: 0, days: [], last_at: null },
  ...more,
});

function show(list: readonly object[]) {
  let links = list;
  const memory = renderWithHost(<LinksTab project={project} />, {
    project,
    api: async ({ method, path, body }) => {
      if (method === 'DELETE') links = links.slice(1);
      if (method === 'PATCH') links = links.map((each) => ({ ...each, uuid: 'another' }));
      return method === 'PATCH' || method === 'DELETE' ? (body ?? path) : { list: links };
    },
  });
  return { ...memory, user: userEvent.setup() };
}

afterEach(cleanup);

test('lists the links of a project with their tables, passwords and ends', async () => {
  show([
    link('vw_1', 'All', { password: '********' }),
    link('vw_2', 'Old', { expires_at: '2001-02-03T00:00:00.000Z' }),
  ]);
  const rows = await screen.findAllByRole('row');
  expect(rows).toHaveLength(3);
  expect(rows[1]?.textContent).toMatch(/All.*City.*Asked for.*Never/);
  expect(rows[2]?.textContent).toMatch(/Old.*City.*None.*Ended on/);
});

test('tells how often a link was opened, and when last', async () => {
  const days = [...Array.from({ length: 28 }, () => 0), 4, 1];
  show([
    link('vw_1', 'All', { visits: { total: 1234, days, last_at: '2024-02-03T10:00:00.000Z' } }),
    link('vw_2', 'Old'),
  ]);
  const rows = await screen.findAllByRole('row');
  expect(rows[1]?.textContent).toMatch(/1,234.*Feb 3, 2024/);
  expect(rows[2]?.textContent).toMatch(/Never.*Never/);
  expect(screen.getByRole('img', { name: '5 visits in the last 30 days' })).toBeTruthy();
});

test('closes a link, once the person agrees', async () => {
  const { user, requests } = show([link('vw_1', 'All'), link('vw_2', 'Old')]);
  await user.click(await screen.findByRole('button', { name: "More about the link of 'All'" }));
  await user.click(await screen.findByRole('menuitem', { name: 'Turn off' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'All' })).toBeNull());
  expect(requests.find(({ method }) => method === 'DELETE')?.path).toBe('/api/v1/db/meta/views/vw_1/share');
  expect(screen.getByRole('button', { name: 'Old' })).toBeTruthy();
});

test('says how a view is shared where none is', async () => {
  show([]);
  expect(await screen.findByText('No view is shared')).toBeTruthy();
});
