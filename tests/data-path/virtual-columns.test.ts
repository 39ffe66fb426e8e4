import { expect, test } from '@jest/globals';
import type { ServerColumnType, TableSchema } from '@trellis/sdk/server';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { keptForMs } from '../../host-server/schema/jobs/parked-times.ts';
import { purgeParked } from '../../host-server/schema/jobs/purge.ts';
import { createDataPath, silent } from './data-path.ts';

const page = { limit: 25, offset: 0 };

/** A type that shows another column twice: `meta.of` is its title on the way in and its id from then on. */
const twice: ServerColumnType = {
  id: 'Twice',
  label: 'Twice',
  icon: 'copy',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'SingleLineText',
  operators: [],
  editable: false,
  parse: (input) => ({ ok: true, value: String(input) }),
  format: (value) => JSON.stringify(value),
  examples: [],
  server: {
    compute(column, snapshot) {
      const columnId = String(column.meta?.['of']);
      const own: { kind: 'column'; columnId: string } = { kind: 'column', columnId };
      if (snapshot.column(columnId) === undefined) return undefined;
      return { kind: 'concat', items: [own, own] };
    },
    resolveOptions(meta, { table, kindOf }) {
      const of = table.columnByTitle.get(String(meta['of'])) ?? table.columnById.get(String(meta['of']));
      return { ...meta, of: of?.id, kind: of && kindOf(of) };
    },
    optionsWithout: (column, deleted) => ({ ...column.meta, gone: deleted.title }),
  },
};

describeEachMetadata('a virtual column', (open) => {
  async function start() {
    const path = await createDataPath(await open());
    path.columnTypes.register(twice, 'test');
    const scope = await path.newProject('Music');
    const table = await path.schema.createTable(scope, {
      title: 'People',
      columns: [
        { title: 'Id', type: 'ID' },
        { title: 'Name', type: 'SingleLineText' },
      ],
    });
    const add = (title: string, of: string) =>
      path.schema.createColumn(scope, table.id, { title, type: 'Twice', meta: { of } });
    const idOf = (title: string, of: TableSchema) => of.columnByTitle.get(title)?.id ?? '';
    return { ...path, scope, table, add, idOf };
  }

  test('is added, shown in the views, read, changed and deleted without a column in the database', async () => {
    const { schema, rowStore, scope, table, add, idOf, metadata, forget, dispose } = await start();
    await rowStore.create(await schema.open(scope, table.id), { Name: 'Ada' });
    await add('Double', 'Name');
    const made = await add('Fourfold', 'Double');
    expect(made.columnByTitle.get('Fourfold')).toMatchObject({
      columnName: '',
      storage: 'virtual',
      meta: { of: idOf('Double', made), kind: 'text' },
    });
    expect(made.defaultView?.columns.map(({ columnId }) => columnId)).toContain(idOf('Fourfold', made));
    const list = async () => rowStore.list(await schema.open(scope, table.id), {}, page);
    expect(await list()).toEqual([{ Id: 1, Name: 'Ada', Double: 'AdaAda', Fourfold: 'AdaAdaAdaAda' }]);

    await schema.updateColumn(scope, idOf('Fourfold', made), { title: 'Again', meta: { of: 'Name' } });
    expect(await list()).toEqual([{ Id: 1, Name: 'Ada', Double: 'AdaAda', Again: 'AdaAda' }]);
    await schema.deleteColumn(scope, idOf('Double', made));
    expect(await list()).toEqual([{ Id: 1, Name: 'Ada', Again: 'AdaAda' }]);
    await purgeParked({ metadata, logger: silent, forget }, Date.now() + keptForMs + 1000);
    expect(await list()).toEqual([{ Id: 1, Name: 'Ada', Again: 'AdaAda' }]);
    await dispose();
  });

  test('that would be computed from itself is refused by the way on which it is', async () => {
    const { schema, scope, add, idOf, dispose } = await start();
    await add('Double', 'Name');
    const made = await add('Fourfold', 'Double');
    await expect(
      schema.updateColumn(scope, idOf('Double', made), { meta: { of: 'Fourfold' } }),
    ).rejects.toMatchObject({
      status: 400,
      code: 'COLUMN_CIRCLE',
      params: { column: 'Double', path: 'Double → Fourfold → Double' },
    });
    await dispose();
  });

  test('that grows with the column that it is computed from is not made too long by a change of that one', async () => {
    const { schema, scope, table, add, idOf, dispose } = await start();
    await add('Short', 'Name');
    const count = 5;
    await add('Step 1', 'Short');
    for (let step = 2; step <= count; step += 1) await add(`Step ${step}`, `Step ${step - 1}`);
    await add('Long 1', 'Name');
    for (let step = 2; step <= 5; step += 1) await add(`Long ${step}`, `Long ${step - 1}`);
    const made = await schema.open(scope, table.id);
    const change = (of: string) => schema.updateColumn(scope, idOf('Short', made.table), { meta: { of } });
    await expect(change('Long 5')).rejects.toMatchObject({
      code: 'COLUMN_TOO_LARGE',
      params: { column: 'Short', by: expect.stringMatching(/^Step/) },
    });
    await change('Long 1');
    await dispose();
  });

  test('stays without cells when what it is computed from is deleted, and may say of what', async () => {
    const { schema, rowStore, scope, table, add, idOf, dispose } = await start();
    await rowStore.create(await schema.open(scope, table.id), { Name: 'Ada' });
    const made = await add('Double', 'Name');
    const after = await schema.deleteColumn(scope, idOf('Name', made));
    expect(after.columnByTitle.get('Double')?.meta).toMatchObject({ gone: 'Name' });
    const rows = await rowStore.list(await schema.open(scope, table.id), {}, page);
    expect(rows).toEqual([{ Id: 1 }]);
    await dispose();
  });

  test('takes no other type, and no other column becomes one', async () => {
    const { schema, scope, add, idOf, dispose } = await start();
    const made = await add('Double', 'Name');
    for (const [title, type] of [
      ['Double', 'Number'],
      ['Name', 'Twice'],
    ] as const)
      await expect(schema.updateColumn(scope, idOf(title, made), { type })).rejects.toMatchObject({
        status: 501,
        code: 'RETYPE_VIRTUAL',
      });
    await expect(
      schema.createTable(scope, { title: 'Other', columns: [{ title: 'Double', type: 'Twice' }] }),
    ).rejects.toMatchObject({ status: 400, code: 'COLUMN_BEFORE_TABLE' });
    await dispose();
  });
});
