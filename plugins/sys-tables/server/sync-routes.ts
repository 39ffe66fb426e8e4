import {
  defineRoute,
  SchemaStoreToken,
  SchemaSyncToken,
  toTableEntity,
  type ProjectSnapshot,
  type RouteDefinition,
  type SchemaDifference,
  type SchemaRename,
  type ServerPluginContext,
  type TableDifferences,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import type { DetectedChange, TableDiff } from '../shared/index.ts';

const path = '/api/v1/db/meta/projects/:projectId/meta-diff';

interface SyncBody {
  /** The title of the project, required if most of its tables are missing. */
  readonly confirm?: string;
  /** Tables and columns that were renamed in the database. */
  readonly renames?: readonly SchemaRename[];
}

const renamesSchema: JsonSchema = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    required: ['id', 'to'],
    properties: { id: { type: 'string', maxLength: 40 }, to: { type: 'string', maxLength: 255 } },
  },
};

const renamed = ({ renamedTo }: { readonly renamedTo?: string }) =>
  renamedTo === undefined ? {} : { renamedTo };

/** The comparison of a project with its database, in the terms of the v1 API. */
export function syncRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const sync = ctx.get(SchemaSyncToken);
  const types = ctx.registry('columnTypes');
  const object = { kind: 'project', param: 'projectId' } as const;

  function toDiff(snapshot: ProjectSnapshot, of: TableDifferences): TableDiff {
    const table = of.id === undefined ? undefined : snapshot.tables.get(of.id);
    const entity = table && toTableEntity(table, types, snapshot);
    const column = (id: string) => entity?.columns?.find((one) => one.id === id);

    function toChange(difference: SchemaDifference): DetectedChange {
      const prefix = of.kind === 'view' ? 'VIEW' : 'TABLE';
      const ids = { id: of.id };
      switch (difference.kind) {
        case 'tableAdded':
          return { type: `${prefix}_NEW`, msg: of.kind === 'view' ? 'New view' : 'New table' };
        case 'tableRemoved':
          return {
            type: `${prefix}_REMOVE`,
            msg: 'Table removed',
            tn: of.name,
            ...ids,
            model: entity,
            ...renamed(difference),
          };
        case 'columnAdded': {
          const { column: cn, nativeType: dt } = difference;
          return { type: `${prefix}_COLUMN_ADD`, msg: `New column(${cn})`, cn, dt, ...ids };
        }
        case 'columnRemoved': {
          const { column: cn, columnId: colId } = difference;
          const about = { cn, ...ids, column: column(colId), colId, ...renamed(difference) };
          return { type: `${prefix}_COLUMN_REMOVE`, msg: `Column removed(${cn})`, ...about };
        }
        case 'columnTypeChanged': {
          const { column: cn, columnId } = difference;
          const about = { cn, ...ids, column: column(columnId) };
          return { type: 'TABLE_COLUMN_TYPE_CHANGE', msg: `Column type changed(${cn})`, ...about };
        }
        case 'columnRulesChanged': {
          const { column: cn, columnId } = difference;
          const about = { cn, ...ids, column: column(columnId) };
          return { type: 'TABLE_COLUMN_RULES_CHANGE', msg: `Column rules changed(${cn})`, ...about };
        }
        case 'linkAdded':
        case 'linkRemoved': {
          const isNew = difference.kind === 'linkAdded';
          const shown = table?.columns.find(({ linkId }) => linkId === difference.linkId);
          const about = isNew || shown === undefined ? {} : { colId: shown.id, column: column(shown.id) };
          if (difference.link === 'manyToMany') {
            const type = isNew ? 'TABLE_VIRTUAL_M2M_ADD' : 'TABLE_VIRTUAL_M2M_REMOVE';
            const what = isNew ? 'New many to many' : 'Many to many removed';
            return { type, msg: `${what}(${of.name} to ${difference.toTable})`, ...ids, ...about };
          }
          // A foreign key is described from the side that holds it.
          const own = { table: of.name, columns: difference.columns };
          const other = { table: difference.toTable, columns: difference.toColumns };
          const [child, parent] = difference.link === 'belongsTo' ? [own, other] : [other, own];
          return {
            type: isNew ? 'TABLE_RELATION_ADD' : 'TABLE_RELATION_REMOVE',
            msg: isNew ? 'New relation added' : 'Relation removed',
            tn: child.table,
            rtn: parent.table,
            cn: child.columns.join(','),
            rcn: parent.columns.join(','),
            relationType: difference.link === 'belongsTo' ? 'bt' : 'hm',
            ...about,
          };
        }
      }
    }
    const detectedChanges = of.differences.map(toChange);
    return {
      ...(of.title !== undefined && { title: of.title }),
      table_name: of.name,
      type: of.kind,
      ...(of.isAway === true && { away: snapshot.bases.get(table?.baseId ?? '')?.alias ?? '' }),
      detectedChanges,
      ...(of.outwardKeys !== undefined && {
        outward: of.outwardKeys.map(({ columns, schema: other, toTable, toColumns }) => ({
          cn: columns.join(','),
          schema: other,
          rtn: toTable,
          rcn: toColumns.join(','),
        })),
      }),
    };
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'metaDiff',
      object,
      summary: 'Compare the tables of a project with its database',
      handle: async ({ scope }) => {
        const [tables, snapshot] = await Promise.all([sync.differences(scope), schema.snapshot(scope)]);
        return tables.map((table) => toDiff(snapshot, table));
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, SyncBody>({
      method: 'POST',
      path,
      permission: 'metaDiffSync',
      object,
      summary: 'Take over what changed in the database of a project',
      schemas: {
        body: {
          type: 'object',
          properties: { confirm: { type: 'string', maxLength: 1000 }, renames: renamesSchema },
        },
      },
      handle: async ({ scope, body }) => {
        await sync.apply(scope, { confirmed: body.confirm, renames: body.renames });
        return { msg: 'success' };
      },
    }),
  ];
}
