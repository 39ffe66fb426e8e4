import { auditText, type AccessScope, type TableSchema } from '@trellis/sdk/server';
import { rowOrderType } from '../../metadata/models/column-rules.ts';
import type { ColumnRow } from '../../metadata/models/column-model.ts';
import { defaultOrder } from '../../query/default-order.ts';
import { newId } from '../../runtime/ids.ts';
import { requireProject } from '../bases/projects.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import type { ColumnTools } from './column-tools.ts';
import { indexName } from './unique-index.ts';

/**
 * The initial distance of two neighbouring rows. It can be halved twenty times before other rows have to move. Even with
 * 8,000,000,000 rows the numbers are exact in JavaScript.
 */
export const rowOrderGap = 2 ** 20;

const title = 'Row order';

/** Gives tables the hidden column that keeps the order in which people arrange rows. */
export function rowOrderMethods(parts: SchemaStoreParts, tools: ColumnTools) {
  const { databases, jobs, kinds, announce } = parts;

  return {
    /**
     * Adds the column if the table has none yet. Nobody sees it, so the right to change rows is enough.
     *
     * @param given aborts the numbering, which is then reverted
     * @throws TrellisError 409 `ROW_ORDER_OWN_ONLY` for a table of an external database.
     */
    async arrangeRows(scope: AccessScope, tableId: string, given?: AbortSignal): Promise<void> {
      scope.inTable(tableId).require('dataUpdate');
      const projectId = requireProject(scope);
      const isMade = await jobs.exclusively(projectId, async (held) => {
        const signal = given === undefined ? held : AbortSignal.any([held, given]);
        signal.throwIfAborted();
        const { snapshot, table } = await tools.findTable(scope, tableId);
        if (table.rowOrder !== undefined) return false;
        const base = tools.baseOf(snapshot, table);
        if (!base.own || table.readOnlyReason !== undefined)
          throw schemaErrors.create('ROW_ORDER_OWN_ONLY', { table: table.title });
        const target = await databases.of(base);
        await tools.assertRoom(target, table);
        const name = await tools.freeColumnName(target, table, { title });
        const nativeType = target.dialect.types.nativeFor('bigint');
        const row = columnRow(table, name, nativeType);
        const { tableName } = table;
        const key = table.primaryKey.map(({ columnName }) => columnName);
        const usual = defaultOrder(table);
        const payload = {
          base,
          tableName,
          spec: { name, kind: 'bigint' as const },
          row,
          index: { name: indexName('sorted', tableName, name), columns: [name] },
          numbering: {
            key,
            column: name,
            storage: 'bigint' as const,
            nativeType,
            step: rowOrderGap,
            by: usual?.primaryKey === true ? undefined : usual?.columnName,
          },
        };
        const about = auditText('Rows of {{table}} can be put in an order', { table: table.title });
        const change = tools.change(scope, table, { subType: 'UPDATED', description: about });
        await jobs.run(kinds.arrangeRows, payload, { change, signal });
        return true;
      });
      if (isMade) announce({ projectId, tableId, requestId: scope.requestId });
    },
  };
}

function columnRow(table: TableSchema, columnName: string, nativeType: string): ColumnRow {
  const now = Date.now();
  return {
    id: newId('column'),
    project_id: table.projectId,
    table_id: table.id,
    title,
    column_name: columnName,
    uidt: rowOrderType,
    storage: 'bigint',
    native_type: nativeType,
    length: null,
    precision: null,
    scale: null,
    fallback: 'Number',
    primary_key: false,
    key_position: null,
    auto_increment: false,
    auto_update: false,
    required: false,
    is_unsigned: false,
    is_unique: false,
    display: false,
    system: true,
    computed: false,
    default_value: null,
    description: null,
    meta: null,
    link_id: null,
    sort_order: 0,
    parked_at: null,
    created_at: now,
    updated_at: now,
  };
}
