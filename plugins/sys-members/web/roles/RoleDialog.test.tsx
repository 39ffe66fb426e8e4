import { afterEach, describe, expect, test } from '@jest/globals';
import { aColumn, aProject, aTable, renderWithHost } from '@trellis/sdk/testing/web';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { CustomRole, TableRights } from '../../shared/index.ts';
import { RoleDialog } from './RoleDialog.tsx';

const project = aProject({ id: 'p_1', title: 'Atlas', role: 'owner' });
const city = aTable([aColumn('cl_1', 'Title'), aColumn('cl_2', 'Pay')], { id: 'md_1', title: 'City' });
const hall = aTable([], { id: 'md_2', title: 'Hall' });
const whole: TableRights = { access: 'write', create: true, delete: true, columns: {}, newColumns: 'write' };
const roles = '/api/v1/plugins/sys-members/projects/p_1/roles';

function show(role?: CustomRole) {
  const memory = renderWithHost(
    <RoleDialog project={project} role={role} permissions={[]} onClose={() => {}} />,
    {
      api: {
        'GET /api/v1/db/meta/projects/p_1/tables': { list: [city, hall] },
        'GET /api/v1/db/meta/tables/md_1': city,
        [`POST ${roles}`]: {},
        [`PATCH ${roles}/ro_1`]: {},
      },
    },
  );
  const sent = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(memory.requests.some(({ path }) => path.startsWith(roles))).toBe(true));
    return memory.requests.find(({ path }) => path.startsWith(roles))?.body;
  };
  return { sent, user: userEvent.setup() };
}

afterEach(cleanup);

describe('the dialog of a custom role', () => {
  test('names the tables of the moment, and closes those that are made later until somebody says otherwise', async () => {
    const { sent, user } = show();
    await user.type(await screen.findByRole('textbox', { name: 'Name of the role' }), 'Guests');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rights in Hall' }), 'Read');
    expect(screen.getByRole('combobox', { name: 'Rights in tables made later' })).toHaveProperty(
      'value',
      'none',
    );
    expect(await sent()).toMatchObject({
      title: 'Guests',
      tables: { md_1: whole, md_2: { ...whole, access: 'read' } },
      newTables: 'none',
    });
  });

  test('closes columns made later once one of the table is limited', async () => {
    const { sent, user } = show();
    await user.type(await screen.findByRole('textbox', { name: 'Name of the role' }), 'Guests');
    await user.click(screen.getByRole('button', { name: 'Columns of City' }));
    const columns = within(await screen.findByRole('list', { name: 'Columns of City' }));
    const later = columns.getByRole('combobox', { name: 'Rights to columns of City made later' });
    expect(later).toHaveProperty('value', 'write');
    await user.selectOptions(columns.getByRole('combobox', { name: 'Rights to Pay' }), 'Hidden');
    expect(later).toHaveProperty('value', 'none');
    await user.selectOptions(later, 'Read');
    expect(await sent()).toMatchObject({
      tables: { md_1: { columns: { cl_1: 'write', cl_2: 'none' }, newColumns: 'read' } },
    });
  });

  test('shows a table that was made since the role as the role has it, and keeps what is in the trash', async () => {
    const { sent, user } = show({
      id: 'ro_1',
      revision: 'r1',
      title: 'Guests',
      description: '',
      base: 'viewer',
      denied: [],
      tables: { md_1: whole, md_gone: { ...whole, access: 'none' } },
      newTables: 'none',
      people: 1,
    });
    const hallRights = await screen.findByRole('combobox', { name: 'Rights in Hall' });
    expect(hallRights).toHaveProperty('value', 'none');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rights in tables made later' }), 'Read');
    expect(hallRights).toHaveProperty('value', 'none');
    expect(await sent()).toMatchObject({
      tables: { md_1: whole, md_2: { ...whole, access: 'none' }, md_gone: { ...whole, access: 'none' } },
      newTables: 'write',
      replaces: 'r1',
    });
  });
});
