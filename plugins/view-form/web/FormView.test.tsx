import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectRole, ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fieldOptions, formOptions } from '../shared/index.ts';
import { isAnswerable } from './form-fields.ts';
import FormView from './FormView.tsx';

afterEach(cleanup);

const people = { ...textType, id: 'People', namesPeople: true };
const table = aTable([
  aColumn('cl_name', 'Name'),
  aColumn('cl_rank', 'Rank'),
  aColumn('cl_who', 'Who', { uidt: people.id }),
]);
const view = {
  id: 'vw_1',
  fk_model_id: 'md_1',
  title: 'Sign up',
  view_type: 'form',
  meta: formOptions({}),
} as unknown as ViewEntity;

function show(role: ProjectRole, denied?: readonly string[]) {
  const project = aProject({ role });
  const of = denied === undefined ? table : { ...table, denied };
  return renderWithHost(<FormView {...{ project, view, table: of }} readOnly={role === 'viewer'} />, {
    project,
    registries: { columnTypes: [textType, people] },
    api: {
      'PATCH /api/v1/db/meta/views/vw_1/columns/vc_1': {},
      'PATCH /api/v1/db/meta/views/vw_1/columns/vc_2': {},
      'GET /api/v1/db/meta/views/vw_1/columns': [
        { id: 'vc_1', fk_column_id: 'cl_name', show: true, order: 1, meta: fieldOptions({}) },
        {
          id: 'vc_2',
          fk_column_id: 'cl_rank',
          show: true,
          order: 2,
          meta: fieldOptions({ creatorsOnly: true }),
        },
        { id: 'vc_3', fk_column_id: 'cl_who', show: true, order: 3, meta: fieldOptions({}) },
      ],
    },
  });
}

describe('a form in its table', () => {
  test('is filled in by whoever may add rows', async () => {
    show('editor');
    expect(await screen.findByRole('textbox', { name: 'Name' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Submit' })).toBeTruthy();
  });

  test('asks members who somebody is, whom strangers are not told of', async () => {
    show('editor');
    expect(await screen.findByRole('textbox', { name: 'Who' })).toBeTruthy();
    const [asked] = table.columns?.filter(({ title }) => title === 'Who') ?? [];
    expect(asked && [isAnswerable(asked, people, 'member'), isAnswerable(asked, people)]).toEqual([
      true,
      false,
    ]);
  });

  test('asks owners and creators alone for what is for them', async () => {
    for (const role of ['owner', 'creator', 'editor'] as const) {
      show(role);
      await screen.findByRole('textbox', { name: 'Name' });
      expect(screen.queryAllByRole('textbox', { name: 'Rank' })).toHaveLength(role === 'editor' ? 0 : 1);
      cleanup();
    }
  });

  test('offers nobody to fill it in who may add no rows', async () => {
    for (const shown of [() => show('viewer'), () => show('editor', ['dataInsert'])]) {
      shown();
      expect(await screen.findByText('You may not add rows to this table.')).toBeTruthy();
      expect(screen.getByRole('heading', { name: 'Sign up' })).toBeTruthy();
      expect(screen.queryByRole('textbox')).toBeNull();
      expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
      cleanup();
    }
  });

  test('keeps what is typed into its settings when somebody else locks the view, and says so', async () => {
    const memory = show('owner');
    await userEvent.click(await screen.findByRole('button', { name: 'Name' }));
    const help = screen.getByRole('textbox', { name: 'Help text' });
    await userEvent.type(help, 'As in your passport');
    const locked = { ...view, lock_type: 'locked' as const };
    memory.rerender(
      <FormView project={aProject({ role: 'owner' })} view={locked} table={table} readOnly={false} />,
    );
    expect(screen.getByRole('textbox', { name: 'Help text' })).toHaveProperty('value', 'As in your passport');
    expect(screen.getByText(/You may not change this form at the moment/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Close the editor' }));
    expect(screen.queryByRole('button', { name: 'Edit the form' })).toBeNull();
  });

  test('opens the settings of the field that its owner goes to in the form', async () => {
    show('owner');
    await userEvent.click(await screen.findByRole('textbox', { name: 'Rank' }));
    const settings = screen.getByRole('region', { name: 'Settings of Rank' });
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Rank' }));
    await userEvent.type(within(settings).getByRole('textbox', { name: 'Help text' }), 'As of today');
    await userEvent.click(screen.getByRole('textbox', { name: 'Name' }));
    expect(await screen.findByRole('region', { name: 'Settings of Name' })).toBeTruthy();
  });
});
