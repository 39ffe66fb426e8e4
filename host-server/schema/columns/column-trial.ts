import type { AccessScope, ColumnInput, ColumnSchema, SchemaStore } from '@trellis/sdk/server';
import type { CellValue, ColumnTrial, NamingColumn } from '@trellis/sdk/shared';
import type { Database } from '../../databases/database.ts';
import { assertLinksNothing } from '../links/links.ts';
import { schemaErrors } from '../schema-errors.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import { mergedInput, patchOfPresent } from './column-patch.ts';
import { countingPatch } from './counting-type.ts';
import type { ColumnTools, FoundColumn } from './column-tools.ts';
import { placed } from './column-uses.ts';
import type { Conversion } from './convert-value.ts';
import { createPlanRetype } from './plan-retype.ts';
import { createScanValues } from './scan-values.ts';
import { assertKeepsType } from './virtual-columns.ts';

/** Milliseconds that one part of a trial may take. */
const partMs = 1000;
const purpose = 'column-trial';

/** Where the next part begins. It is sealed, because it may contain the key of a row that the caller cannot see. */
interface Mark {
  readonly columnId: string;
  readonly generation: number;
  readonly after: readonly CellValue[];
  /** The patch, with the options that the type made from the values, so that all parts are converted alike. */
  readonly patch: Partial<ColumnInput>;
}

const nothing: ColumnTrial = { converts: false, seen: 0, values: 0, lost: 0, samples: [], next: undefined };

/**
 * Shows how a change of a column would convert its values, without changing them. It takes no lock, so others can go on changing
 * the project.
 */
export function createColumnTrial(
  parts: SchemaStoreParts,
  tools: ColumnTools,
): Pick<SchemaStore, 'tryColumnUpdate'> {
  const { databases, columnTypes, secrets, moved } = parts;
  const { findColumn, baseOf, assertChangeable } = tools;
  const { converting, planned } = createPlanRetype(parts, tools);
  const scanValues = createScanValues(parts);

  async function conversionOf(scope: AccessScope, found: FoundColumn, patch: Partial<ColumnInput>) {
    const base = baseOf(found.snapshot, found.table);
    // The change itself refuses a bad default value or a rule that does not hold yet, so the trial leaves both out.
    const input = { ...mergedInput(found.column, patch), defaultValue: undefined, unique: false };
    const { conversion } = await planned(scope, found, base, input);
    return conversion;
  }

  async function countRows(scope: AccessScope, { table }: FoundColumn, target: Database): Promise<number> {
    const query = target.builder(target.dialect.identifiers.knexTable(table.tableName)).count();
    const { rows } = await target.read((unit) => unit.rows(query), {
      work: 'long',
      share: scope.principal.id,
    });
    return Number(rows[0]?.[0] ?? 0);
  }

  function namingOf({ snapshot, column }: FoundColumn, ends: Conversion): readonly NamingColumn[] {
    return moved.naming(snapshot, column.id, ends).map(({ column: of, moved: { meta, remains } }) => ({
      ...placed(snapshot, of),
      follows: meta !== undefined,
      remains,
    }));
  }

  function noticesOf(column: ColumnSchema): Pick<ColumnTrial, 'notices'> {
    const notice = columnTypes.get(column.type)?.server?.leaving?.(column);
    if (notice === undefined) return {};
    const { code, message: msg, params } = notice;
    return { notices: [{ code, msg, params }] };
  }

  /** @throws TrellisError 409 for a mark of another column, or when the schema has changed since. */
  function opened(text: string, { snapshot, column }: FoundColumn): Mark {
    let mark: Mark;
    try {
      mark = JSON.parse(secrets.decrypt(purpose, text)) as Mark;
    } catch (error) {
      throw schemaErrors.create('TRIAL_MARK_UNKNOWN', {}, error);
    }
    if (mark.columnId !== column.id || mark.generation !== snapshot.generation)
      throw schemaErrors.create('SCHEMA_CHANGED');
    return mark;
  }

  return {
    async tryColumnUpdate(scope, columnId, asked, { after, forMs = partMs, signal } = {}) {
      scope.require('columnUpdate');
      const found = await findColumn(scope, columnId);
      const { snapshot, table, column } = found;
      const mark = after === undefined ? undefined : opened(after, found);
      const present = patchOfPresent(column, asked, columnTypes.get(column.type));
      const given = countingPatch(present, column, columnTypes);
      if (column.storage === 'virtual') return nothing;
      const type = columnTypes.get(given.type ?? column.type);
      if (type?.storage === 'virtual') assertKeepsType(column, type);
      if (column.primaryKey) throw schemaErrors.create('KEY_COLUMN', { column: column.title });
      assertChangeable(table);
      const patch = mark?.patch ?? (await converting(found, given));
      if (patch === undefined) return nothing;
      assertLinksNothing(found);
      if (table.primaryKey.length === 0) throw schemaErrors.create('RETYPE_NEEDS_KEY');
      const target = await databases.of(baseOf(snapshot, table));
      const conversion = await conversionOf(scope, found, patch);
      const rows = mark === undefined ? await countRows(scope, found, target) : undefined;
      const { next, ...scan } = await scanValues(
        { ...found, scope, target, conversion },
        { after: mark?.after, forMs, signal },
      );
      const followed = next && { columnId, generation: snapshot.generation, after: next, patch };
      return {
        converts: true,
        ...(rows !== undefined && { rows, naming: namingOf(found, conversion) }),
        ...(rows !== undefined && column.type !== conversion.to.type && noticesOf(column)),
        ...scan,
        next: followed && secrets.encrypt(purpose, JSON.stringify(followed satisfies Mark)),
      };
    },
  };
}
