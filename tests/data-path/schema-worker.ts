import { openDatabase } from '../../host-server/databases/index.ts';
import { createDataPath } from './data-path.ts';

/**
 * Changes a table's columns until it is killed: adds one, converts texts to numbers and back, renames, deletes. Prints one line for
 * each acknowledged change. Arguments: the database file, the project, the table.
 */
const [, , file = '', projectId = '', tableId = ''] = process.argv;
const database = await openDatabase({ kind: 'sqlite', file }, { name: 'worker' });
const { schema, access } = await createDataPath(database);
const scope = access.systemScope(projectId, 'worker');

for (let round = 1; ; round += 1) {
  const title = `Column ${process.pid} ${round}`;
  const added = await schema.createColumn(scope, tableId, { title, type: 'SingleLineText' });
  process.stdout.write(`added ${title}\n`);
  const points = added.columnByTitle.get('Points');
  const type = points?.type === 'Number' ? 'SingleLineText' : 'Number';
  await schema.updateColumn(scope, points?.id ?? '', { type });
  process.stdout.write(`retyped ${type}\n`);
  await schema.deleteColumn(scope, added.columnByTitle.get(title)?.id ?? '');
  process.stdout.write(`deleted ${title}\n`);
}
