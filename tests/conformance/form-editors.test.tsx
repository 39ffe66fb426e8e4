import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { aColumn, aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { columnContext, type WebColumnType } from '@trellis/sdk/web';
import { cleanup, waitFor } from '@testing-library/react';
import { fieldOptions } from '../../plugins/view-form/shared/index.ts';
import { isAnswerable } from '../../plugins/view-form/web/form-fields.ts';
import { FormField } from '../../plugins/view-form/web/FormField.tsx';
import { webItems } from './web-items.ts';

/** What no form asks: what the table fills in itself, what is computed, and what names people or needs an account. */
const notAsked = [
  'AutoNumber',
  'Button',
  'Collaborator',
  'Count',
  'CreateTime',
  'CreatedBy',
  'Formula',
  'ID',
  'LastModifiedBy',
  'LastModifiedTime',
  'Lookup',
  'Rollup',
  'SpecificDBType',
];
/** Its rows come from another table: `tests/e2e/forms.test.ts` chooses some. */
const askedElsewhere = 'LinkToAnotherRecord';

let types: readonly WebColumnType[] = [];
beforeAll(async () => {
  types = await webItems('columnTypes');
});
afterEach(cleanup);
afterAll(() => {
  types = [];
});

test('a form has an editor for each type of columns, but for those that nobody answers', async () => {
  const left: string[] = [];
  const without: string[] = [];
  for (const type of types.filter(({ id }) => id !== askedElsewhere)) {
    const column = aColumn('cl_1', `Field of ${type.id}`, { uidt: type.id });
    if (!isAnswerable(column, type)) {
      left.push(type.id);
      continue;
    }
    const project = aProject();
    const context = columnContext(column, type);
    const of = { columnId: column.id, column, type, context, isNeeded: false, options: fieldOptions({}) };
    const { container } = renderWithHost(
      <FormField
        project={project}
        field={{ ...of, label: column.title }}
        value={null}
        problem={undefined}
        onChange={() => undefined}
        onProblem={() => undefined}
      />,
      {
        project,
        registries: { columnTypes: [...types] },
        api: () => ({ list: [], pageInfo: { totalRows: 0, isLastPage: true } }),
      },
    );
    const editor = () =>
      container.querySelector(':is(input, textarea, select, button, [role=slider], [contenteditable=true])');
    await waitFor(() => expect(editor()).not.toBeNull()).catch(() => without.push(type.id));
    cleanup();
  }
  expect(without).toEqual([]);
  expect(left.toSorted()).toEqual(notAsked);
});
