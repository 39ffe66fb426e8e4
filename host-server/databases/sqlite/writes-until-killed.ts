/**
 * Writes numbered rows until it is killed, and prints each number once it is acknowledged. The crash test kills it. Between the
 * rows it rebuilds the table, so that the kill may also hit a schema change.
 */
import { openDatabase } from '../connections/open-database.ts';

const [, , file] = process.argv;
if (file === undefined) throw new Error('Which file? writes-until-killed.ts path/to/file.db');
const database = await openDatabase({ kind: 'sqlite', file, create: true }, { name: 'crash test' });
await database.schema(async (changer) => {
  await changer.createTable({
    name: 'parents',
    columns: [
      { name: 'id', kind: 'integer', autoIncrement: true },
      { name: 'n', kind: 'integer' },
    ],
    primaryKey: ['id'],
  });
  await changer.createTable({
    name: 'children',
    columns: [{ name: 'parent_id', kind: 'integer' }],
    foreignKeys: [
      {
        name: 'of_parent',
        columns: ['parent_id'],
        table: 'parents',
        references: ['id'],
        onDelete: 'cascade',
      },
    ],
  });
});

async function writeFor(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const n = count * 10 + lane;
    await database.write(async (unit) => {
      const { lastId } = await unit.run(unit.knex('parents').insert({ n }));
      await unit.run(unit.knex('children').insert({ parent_id: lastId }));
    });
    process.stdout.write(`${n}\n`);
  }
}

/** Writes in the same tick, which share transactions. */
async function writeTogetherFor(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const n = count * 10 + lane;
    const child = 'insert into children (parent_id) select id from parents where n = ?';
    await database.write(
      async (unit) => {
        await unit.rows({ sql: 'insert into parents (n) values (?)', bindings: [n] });
        await unit.last([{ sql: child, bindings: [n] }]);
      },
      { isOneStep: true },
    );
    process.stdout.write(`${n}\n`);
  }
}

async function rebuildForever(): Promise<never> {
  for (;;) {
    await database.schema(async (changer) => {
      await changer.setDefault('parents', 'n', { kind: 'literal', value: 0 });
      await changer.dropDefault('parents', 'n');
    });
  }
}

await Promise.all([...[0, 1, 2].map(writeFor), ...[3, 4, 5].map(writeTogetherFor), rebuildForever()]);
