import { expect, test } from '@jest/globals';

// Read once, when the modules are loaded.
process.env['NODE_ENV'] = 'production';

test('a hook that writes while a bulk write waits for it is refused at once and by name', async () => {
  const { createTestDatabases } = await import('../../host-server/databases/testing.ts');
  const { createDataPath } = await import('./data-path.ts');
  const databases = createTestDatabases('sqlite');
  const database = await databases.open();
  const { hooks, rowStore, schema, newProject, dispose } = await createDataPath(database);
  const scope = await newProject('Shop');
  const { id } = await schema.createTable(scope, {
    title: 'Parts',
    columns: [
      { title: 'Id', type: 'ID' },
      { title: 'Name', type: 'SingleLineText' },
    ],
  });
  const handle = await schema.open(scope, id);
  await rowStore.create(handle, { Name: 'Nut' });
  const problems: unknown[] = [];
  const write = async () => {
    await database.write(async () => undefined, { timeoutMs: 300 }).catch((error) => problems.push(error));
  };
  hooks.tap('act', 'rows.willDelete', write);
  hooks.tap('act', 'rows.willUpdate', write);
  const where = '(Name,eq,Nut)';
  await rowStore.updateAll(handle, { where }, { Name: 'Bolt' });
  await rowStore.deleteMany(handle, [{ Name: 'Bolt' }]);
  await rowStore.create(handle, { Name: 'Nut' });
  await rowStore.deleteAll(handle, { where });
  expect(problems).toHaveLength(3);
  for (const problem of problems) expect(String(problem)).toMatch(/A unit of database '.+' is already open/);
  // Outside of a transaction a hook may write.
  await rowStore.create(handle, { Name: 'Nut' });
  const [row] = await rowStore.list(handle, {}, { limit: 1, offset: 0 });
  await rowStore.delete(handle, String(Number(row?.['Id'])));
  expect(problems).toHaveLength(3);
  await dispose();
  await databases.dropAll();
});
