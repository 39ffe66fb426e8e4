import { afterEach, describe, expect, test } from '@jest/globals';
import type { ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { FieldsButton } from './FieldsButton.tsx';

const titles = ['Name', 'Age', 'Town', 'Team'];
const table = aTable(titles.map((title) => aColumn(title, title, { pv: title === 'Name' })));
const withKey = aTable([
  ...(table.columns ?? []),
  aColumn('team_id', 'team_id', { uidt: 'ForeignKey', system: true, internal: true }),
]);
const view = { id: 'vw_1', title: 'Grid', lock_type: 'collaborative' } as ViewEntity;

interface Opened {
  readonly hidden?: readonly string[];
  readonly of?: ViewEntity;
  readonly role?: 'owner' | 'viewer';
}

async function openPanel(of = table, { hidden = [], of: shown = view, role = 'owner' }: Opened = {}) {
  const places = (of.columns ?? []).map(({ id }, at) => {
    const show = !hidden.includes(id);
    return { id: `nc_${id}`, fk_column_id: id, show, order: at + 1 } as ViewColumnEntity;
  });
  const memory = renderWithHost(
    <FieldsButton project={aProject({ role })} table={of} view={shown} readOnly={false} />,
    {
      registries: { columnTypes: [textType] },
      api: ({ method }) => (method === 'GET' ? places : {}),
    },
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Fields/ }));
  const panel = await screen.findByRole('dialog', { name: /Fields/ });
  await within(panel).findByRole('switch', { name: 'Town' });
  const sent = () =>
    memory.requests
      .filter(({ method = 'GET' }) => method !== 'GET')
      .map(({ path, body, query }) => [path.split('/').slice(-2).join('/'), body ?? query]);
  const order = () =>
    within(panel)
      .getAllByRole('listitem')
      .map((item) => item.textContent);
  return { user, panel, sent, order };
}

afterEach(cleanup);

describe('the fields of a view', () => {
  test('are hidden one by one, all but the one that names a row at once, and shown again', async () => {
    const { user, panel, sent } = await openPanel();
    const button = (name: string) => within(panel).getByRole('button', { name });
    expect(within(panel).getByRole('switch', { name: 'Name' })).toHaveProperty('disabled', true);
    await user.click(within(panel).getByRole('switch', { name: 'Age' }));
    await user.click(button('Hide all'));
    await user.click(button('Show all'));
    await waitFor(() => expect(sent()).toHaveLength(3));
    expect(sent()).toEqual([
      ['grid-columns/nc_Age', { show: false }],
      ['vw_1/hide-all', { 'ignoreIds[]': 'Name' }],
      ['vw_1/show-all', undefined],
    ]);
  });

  test('leave out the key that was made for a link, which "Show all" leaves as it is', async () => {
    const { user, panel, sent, order } = await openPanel(withKey, { hidden: ['Age', 'Town', 'team_id'] });
    await user.click(within(panel).getByRole('switch', { name: 'System fields' }));
    expect(order()).toEqual(['Name', 'Age', 'Town', 'Team']);
    await user.click(within(panel).getByRole('button', { name: 'Show all' }));
    await waitFor(() => expect(sent().at(-1)).toEqual(['vw_1/show-all', { 'ignoreIds[]': ['team_id'] }]));
  });

  test('offer such a key where somebody has shown it', async () => {
    const { order } = await openPanel(withKey);
    expect(order()).toEqual(['Name', 'Age', 'Town', 'Team', 'team_id']);
  });

  test('are moved by key, with the number between their new neighbours', async () => {
    const { user, panel, sent, order } = await openPanel();
    within(panel)
      .getByRole('button', { name: /Move Town/ })
      .focus();
    await user.keyboard('{ArrowUp}');
    await waitFor(() => expect(order()).toEqual(['Name', 'Town', 'Age', 'Team']));
    await waitFor(() => expect(sent()).toEqual([['grid-columns/nc_Age', { order: 3.5 }]]));
  });

  describe('of the system', () => {
    const withDate = aTable([
      ...(table.columns ?? []),
      aColumn('made', 'Made at', { uidt: textType.id, system: true }),
    ]);
    const hidden = ['made'];

    test('are offered as the view keeps it, and what is chosen is kept with the view', async () => {
      const { user, panel, sent, order } = await openPanel(withDate, { hidden });
      expect(order()).not.toContain('Made at');
      await user.click(within(panel).getByRole('switch', { name: 'System fields' }));
      expect(order()).toContain('Made at');
      await waitFor(() => expect(sent()).toEqual([['views/vw_1', { show_system_fields: true }]]));
      cleanup();
      const again = await openPanel(withDate, { hidden, of: { ...view, show_system_fields: true } });
      expect(again.order()).toContain('Made at');
    });

    test('are offered for the moment to whoever may not change the view', async () => {
      const { user, panel, sent, order } = await openPanel(withDate, { hidden, role: 'viewer' });
      await user.click(within(panel).getByRole('switch', { name: 'System fields' }));
      expect(order()).toContain('Made at');
      expect(sent()).toEqual([]);
    });
  });
});
