import type { ColumnSpec, IndexSpec } from '../../dialects/schema/schema-changer.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { models } from '../../metadata/models/models.ts';
import type { BaseDatabases } from '../bases/base-databases.ts';
import { RowNumbers, type RowNumbering } from '../columns/number-rows.ts';
import type { OnBase } from './job-kinds.ts';
import type { SchemaJobKind } from './schema-job-kind.ts';

export interface ArrangeRows extends OnBase {
  readonly tableName: string;
  readonly spec: ColumnSpec;
  readonly row: ColumnRow;
  readonly index: IndexSpec;
  readonly numbering: RowNumbering;
}

/** Gives a table the hidden column that orders its rows, starting with their present order. */
export function createRowOrderKind(databases: BaseDatabases): SchemaJobKind<ArrangeRows> {
  return {
    kind: 'arrangeRows',
    async apply({ base, tableName, spec, index, numbering }, { reach, signal, progress }) {
      const database = await databases.of(base);
      await database.schema((changer) => changer.addColumn(tableName, spec));
      await reach('added');
      const numbers = new RowNumbers({ database, tableName, numbering, signal, progress });
      await numbers.approach();
      await database.schema((changer) => changer.createIndex(tableName, index));
      return { database, approach: () => numbers.approach(), run: (unit) => numbers.finish(unit) };
    },
    async commit(unit, { row }) {
      const { ColumnModel } = await models();
      await ColumnModel.query(unit.knex).insert(row);
    },
    async revert({ base, tableName, spec }) {
      const database = await databases.of(base);
      await database.schema((changer) => changer.dropColumn(tableName, spec.name));
    },
  };
}
