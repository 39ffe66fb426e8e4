import { expect, test } from '@jest/globals';
import type { TableChanges } from '../../host-server/changes/row-change.ts';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath } from './data-path.ts';

describeEachMetadata('a call that changed rows of several tables', (open) => {
  test('is not taken back in one of them', async () => {
    const { newProject, schema, access, handleOf, rowStore, log, metadata, dispose } = await createDataPath(
      await open(),
    );
    const project = await newProject('Atlas');
    const tableNamed = (title: string) =>
      schema.createTable(project, {
        title,
        columns: [
          { title: 'Id', type: 'ID' },
          { title: 'Name', type: 'SingleLineText' },
        ],
      });
    const [first, second] = [await tableNamed('First'), await tableNamed('Second')];
    const scope = access.systemScope(first.projectId, 'test');
    for (const { id } of [first, second]) await rowStore.create(await handleOf(scope, id), { Name: 'new' });
    const operation = log.begin(scope);
    const tables = [first, second].map((table): TableChanges => {
      const { id } = table.columnByTitle.get('Name') ?? { id: '' };
      return {
        table,
        changes: [{ op: 'update', rowKey: '1', before: { [id]: 'old' }, after: { [id]: 'new' } }],
      };
    });
    await metadata.database.write((unit) => unit.batch(log.record(operation, tables).statements));
    await expect(rowStore.undo(scope, operation.id)).rejects.toMatchObject({
      status: 409,
      code: 'UNDO_SEVERAL_TABLES',
    });
    const rows = await rowStore.list(await handleOf(scope, first.id), {}, { limit: 5, offset: 0 });
    expect(rows).toMatchObject([{ Name: 'new' }]);
    await dispose();
  });
});
