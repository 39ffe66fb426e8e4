import { afterEach, describe, expect, test } from '@jest/globals';
import type { ProjectRole, ViewEntity } from '@trellis/sdk/shared';
import { aColumn, aProject, aTable, renderWithHost, textType } from '@trellis/sdk/testing/web';
import { cleanup, screen } from '@testing-library/react';
import { fieldOptions, formOptions } from '../shared/index.ts';
import FormView from './FormView.tsx';

afterEach(cleanup);

const table = aTable([aColumn('cl_name', 'Name'), aColumn('cl_rank', 'Rank')]);
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
    registries: { columnTypes: [textType] },
    api: {
      'GET /api/v1/db/meta/views/vw_1/columns': [
        { id: 'vc_1', fk_column_id: 'cl_name', show: true, order: 1, meta: fieldOptions({}) },
        {
          id: 'vc_2',
          fk_column_id: 'cl_rank',
          show: true,
          order: 2,
          meta: fieldOptions({ creatorsOnly: true }),
        },
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
});
