import { expect, test } from '@jest/globals';
import { describeEachMetadata } from '../../host-server/metadata/testing.ts';
import { createDataPath, expireLeases } from './data-path.ts';

const people = {
  title: 'People',
  columns: [
    { title: 'Id', type: 'ID' },
    { title: 'Title', type: 'SingleLineText' },
    { title: 'Points', type: 'Number', defaultValue: '1' },
  ],
};

/** A point of a schema job at which a server stands still until it is told how to go on. */
function createStop(at: string) {
  let isArmed = false;
  let arrive = (): void => undefined;
  let goOn = (_failure?: Error): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<Error | undefined>((resolve) => {
    goOn = resolve;
  });
  return {
    arm: () => {
      isArmed = true;
    },
    arrived,
    goOn: (failure?: Error) => goOn(failure),
    reach: async (point: string) => {
      if (!isArmed || point !== at) return;
      isArmed = false;
      arrive();
      const failure = await released;
      if (failure) throw failure;
    },
  };
}

describeEachMetadata('schema changes of several servers', (open) => {
  async function start(at = 'never') {
    const database = await open();
    const stop = createStop(at);
    const one = await createDataPath(database, { reach: stop.reach });
    const scope = await one.newProject('Shared');
    const table = await one.schema.createTable(scope, people);
    const two = await createDataPath(database);
    const has = (column: string) => database.schema((changer) => changer.hasColumn(table.tableName, column));
    const insert = (rows: readonly object[]) =>
      database.write((unit) => unit.run(unit.knex(table.tableName).insert(rows)));
    const states = async () => {
      const rows = await database.read((unit) =>
        unit.all<{ state: string }>(unit.knex('trellis_task').select('state').orderBy('created_at')),
      );
      return rows.map((row) => row.state);
    };
    return {
      database,
      stop,
      one,
      two,
      scope,
      table,
      has,
      insert,
      states,
      async dispose() {
        await one.dispose();
        await two.dispose();
      },
    };
  }

  test('a server that lost its lease does not take back what another one finished for it', async () => {
    const { database, stop, one, two, scope, table, has, states, dispose } =
      await start('createColumn.added');
    stop.arm();
    const creation = one.schema.createColumn(scope, table.id, { title: 'Late', type: 'Number' });
    await stop.arrived;
    await expireLeases(database);
    await two.schema.resumeJobs();
    stop.goOn(new Error('the lease was lost'));
    expect((await creation).columnByTitle.has('Late')).toBe(true);
    expect(await has('late')).toBe(true);
    expect(await states()).toEqual(['done', 'done']);
    await dispose();
  });

  test('what a killed server left is finished by the next change of the project, without a restart', async () => {
    const { database, stop, one, two, scope, table, dispose } = await start('createColumn.added');
    stop.arm();
    void one.schema.createColumn(scope, table.id, { title: 'Late', type: 'Number' });
    await stop.arrived;
    await expireLeases(database);
    const after = await two.schema.createColumn(scope, table.id, { title: 'Later', type: 'Number' });
    expect(after.columns.map((column) => column.title)).toEqual(['Id', 'Title', 'Points', 'Late', 'Later']);
    expect(two.announced).toContainEqual(expect.objectContaining({ tableId: table.id }));
    await dispose();
  });

  test('a job that was cut off while it was taken back is taken back to the end', async () => {
    const { database, two, scope, table, has, states, dispose } = await start();
    await two.schema.createColumn(scope, table.id, { title: 'Late', type: 'Number' });
    await database.write(async (unit) => {
      await unit.run(
        unit.knex('trellis_task').where({ kind: 'schema.createColumn' }).update({ state: 'reverting' }),
      );
      await unit.run(unit.knex('trellis_column').where({ column_name: 'late' }).delete());
    });
    await two.schema.resumeJobs();
    expect(await has('late')).toBe(false);
    expect(await states()).toEqual(['done', 'failed']);
    await dispose();
  });

  test('the next column names the rows also when the deletion of the first one was cut off', async () => {
    const { database, stop, one, two, scope, table, dispose } = await start('alterColumn.applied');
    stop.arm();
    void one.schema.deleteColumn(scope, table.displayColumn?.id ?? '');
    await stop.arrived;
    await expireLeases(database);
    await two.schema.resumeJobs();
    expect((await two.schema.table(scope, table.id)).columnByTitle.get('Points')?.display).toBe(true);
    await dispose();
  });

  test('the same title is given once, also on two servers at the same moment', async () => {
    const { one, two, scope, dispose } = await start();
    const outcomes = await Promise.allSettled(
      [one, two, one, two].map(({ schema }) => schema.createTable(scope, { ...people, title: 'Twins' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const others = await Promise.all(
      ['A', 'B'].map((title) => one.schema.createTable(scope, { ...people, title })),
    );
    const renames = await Promise.allSettled(
      others.map((other, index) =>
        (index === 0 ? one : two).schema.updateTable(scope, other.id, { title: 'Same' }),
      ),
    );
    expect(renames.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await dispose();
  });

  test('a change on one server is seen by another one as soon as it polls', async () => {
    const { one, two, scope, table, dispose } = await start();
    await two.schema.table(scope, table.id);
    await one.schema.updateTable(scope, table.id, { title: 'Persons' });
    await two.metadata.generations.poll();
    expect((await two.schema.table(scope, table.id)).title).toBe('Persons');
    await dispose();
  });

  test('a table or column that we do not know of is neither taken over nor dropped', async () => {
    const { database, one, scope, table, has, insert, dispose } = await start();
    const prefix = table.tableName.slice(0, -'people'.length);
    await database.schema(async (changer) => {
      await changer.createTable({ name: `${prefix}ghost`, columns: [{ name: 'secret', kind: 'text' }] });
      await changer.addColumn(table.tableName, { name: 'ghost', kind: 'text' });
    });
    await insert([{ title: 'a' }, { title: 'b' }]);
    const ghost = await one.schema.createTable(scope, { ...people, title: 'Ghost' });
    expect(ghost.tableName).toBe(`${prefix}ghost_2`);
    const column = { title: 'Ghost', type: 'Number', defaultValue: '1', unique: true };
    await expect(one.schema.createColumn(scope, table.id, column)).rejects.toMatchObject({
      code: 'COLUMN_NOT_UNIQUE',
    });
    expect([await has('ghost'), await has('ghost_2')]).toEqual([true, false]);
    await dispose();
  });

  test('a change that fails leaves the column as it was, with its default', async () => {
    const { database, one, scope, table, insert, dispose } = await start();
    await insert([
      { title: 'a', points: 7 },
      { title: 'b', points: 7 },
    ]);
    const points = table.columnByTitle.get('Points')?.id ?? '';
    const change = one.schema.updateColumn(scope, points, { unique: true, defaultValue: '2' });
    await expect(change).rejects.toThrow("'Points' cannot be unique");
    await insert([{ title: 'c' }]);
    const values = await database.read((unit) =>
      unit.all<{ points: unknown }>(unit.knex(table.tableName).select('points').orderBy('id')),
    );
    expect(values.map((row) => Number(row.points))).toEqual([7, 7, 1]);
    const after = (await one.schema.table(scope, table.id)).columnByTitle.get('Points');
    expect(after).toMatchObject({ unique: false, defaultValue: '1' });
    await dispose();
  });

  test('columns of the same name in different tables are unique each for itself', async () => {
    const { database, one, scope, dispose } = await start();
    const name = 'a very long name of a table that fills the limit';
    const column = {
      title: 'a very long name of a column that fills all of the limit',
      type: 'SingleLineText',
      unique: true,
    };
    for (const end of ['x', 'y']) {
      const table = await one.schema.createTable(scope, {
        title: `${end} ${name}`,
        columns: [{ title: 'Id', type: 'ID' }, column],
      });
      const twice = { [table.columns[1]?.columnName ?? '']: 'same' };
      const writing = database.write((unit) => unit.run(unit.knex(table.tableName).insert([twice, twice])));
      await expect(writing).rejects.toMatchObject({ kind: 'unique' });
    }
    await dispose();
  });
});
