import type {
  AccessScope,
  ColumnInput,
  LinkInput,
  LinkSchema,
  ProjectSnapshot,
  TableSchema,
} from '@trellis/sdk/server';
import { randomText } from '../../runtime/ids.ts';
import { computedFrom } from '../../query/computed-columns.ts';
import type { ColumnTools, FoundColumn } from '../columns/column-tools.ts';
import type { createVirtualColumns } from '../columns/virtual-columns.ts';
import type { HeldForeignKey } from '../jobs/link-jobs.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { endsOf, planLink } from './link-plan.ts';

/** Makes and deletes links between tables. */
export function createLinks(
  parts: SchemaStoreParts,
  tools: ColumnTools,
  virtual: ReturnType<typeof createVirtualColumns>,
) {
  const { databases, columnTypes, jobs, kinds } = parts;
  const { baseOf, assertChangeable, assertRoom, freeColumnName, change } = tools;

  /** Names for several columns of a table that are free in the database, also beside each other. */
  async function nameKeys(table: TableSchema, wanted: readonly string[]): Promise<readonly string[]> {
    const target = await databases.of({ id: table.baseId, own: true });
    const names: string[] = [];
    for (const name of wanted) names.push(await freeColumnName(target, table, name, undefined, names));
    return names;
  }

  async function create(
    scope: AccessScope,
    { snapshot, table }: { readonly snapshot: ProjectSnapshot; readonly table: TableSchema },
    { title, type }: Pick<ColumnInput, 'type'> & { readonly title: string },
    input: LinkInput,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const ends = endsOf(snapshot, input, table);
    const { parent, child } = ends;
    const holders = input.kind === 'manyToMany' ? [parent, child] : [child];
    for (const holder of holders) assertChangeable(holder);
    const base = baseOf(snapshot, table);
    const target = await databases.of(base);
    for (const end of [parent, child]) await assertRoom(target, end);
    const prefix = base.own ? `${snapshot.project.prefix}_` : '';
    const tables = [...snapshot.tables.values()];
    const plan = await planLink(ends, input, {
      type,
      title,
      dialect: target.dialect,
      now: Date.now(),
      nameKeys: (wanted) => nameKeys(child, wanted),
      junctionName: `${prefix}nc_m2m_${randomText(10)}`,
      tableOrder: Math.max(0, ...tables.map(({ order }) => order)) + 1,
    });
    const about = `Column ${title} was added to ${table.title}`;
    const payload = { base, plan };
    await jobs.run(table.projectId, kinds.addLink, payload, signal, change(scope, table, 'CREATED', about));
    return [...new Set([parent.id, child.id])];
  }

  return { create };
}
