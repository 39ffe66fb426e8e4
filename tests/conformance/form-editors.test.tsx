import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { aColumn, aProject, renderWithHost } from '@trellis/sdk/testing/web';
import { columnContext, type WebColumnType, type WebPlugin, type WebPluginContext } from '@trellis/sdk/web';
import { cleanup, waitFor } from '@testing-library/react';
import { readHalf } from '../../sdk/testing/plugin-folder.ts';
import { fieldOptions } from '../../plugins/view-form/shared/index.ts';
import { isAnswerable } from '../../plugins/view-form/web/form-fields.ts';
import { FormField } from '../../plugins/view-form/web/FormField.tsx';

const plugins = resolve(import.meta.dirname, '../../plugins');

/** Stands for all that a plugin finds in its context: it can be called, and has whatever it is asked for. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : anything),
  apply: () => anything,
});

/** The column types that our plugins bring, without a page around them. */
async function webColumnTypes(): Promise<readonly WebColumnType[]> {
  const types: WebColumnType[] = [];
  for (const id of readdirSync(plugins)) {
    const manifest = join(plugins, id, 'plugin.json');
    if (!existsSync(manifest) || !readFileSync(manifest, 'utf8').includes('"columnTypes"')) continue;
    const half = await readHalf<WebPlugin>(join(plugins, id), 'web');
    const register = (registry: string, item: WebColumnType) => {
      if (registry === 'columnTypes') types.push(item);
    };
    const context = new Proxy({}, { get: (_, name) => (name === 'register' ? register : anything) });
    await half?.setup(context as WebPluginContext);
  }
  return types;
}

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
  types = await webColumnTypes();
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
