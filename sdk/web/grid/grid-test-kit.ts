import type { CellValue, ColumnEntity, ProjectEntity, TableEntity } from '../../shared/index.ts';
import { defineWebColumnType, type WebColumnType } from '../registries.ts';
import { MemoryRows, type RowData } from '../rows/index.ts';
import type { GridColumn } from './grid-column.ts';

const basics = {
  icon: 'tag',
  accepts: [],
  fallback: 'Text',
  operators: [],
  examples: [],
  Editor: 'text',
} as const;

/** Text, a number that refuses words, and a tick: enough for most tests. */
export const textType: WebColumnType = defineWebColumnType<string>({
  ...basics,
  id: 'Text',
  label: 'Text',
  storage: 'string',
  parse: (input) => ({ ok: true, value: typeof input === 'string' ? input : null }),
  format: (value) => value ?? '',
});

export const numberType = defineWebColumnType<number>({
  ...basics,
  id: 'Number',
  label: 'Number',
  storage: 'integer',
  align: 'end',
  parse: (input) => {
    if (input === null) return { ok: true, value: null };
    const value = Number(input);
    return Number.isNaN(value) ? { ok: false, message: 'must be a number' } : { ok: true, value };
  },
  format: (value) => (value === null ? '' : String(value)),
});

const tickType = defineWebColumnType<boolean>({
  ...basics,
  id: 'Tick',
  label: 'Tick',
  storage: 'boolean',
  parse: (input) => ({ ok: true, value: input === 'true' }),
  format: (value) => (value === true ? 'true' : 'false'),
  toggle: (value) => value !== true,
});

/** A column of the table, as far as the grid looks at it. */
export function testColumn(id: string, title: string, more: Partial<ColumnEntity> = {}): ColumnEntity {
  const flags = { pk: false, pv: false, rqd: false, ai: false, au: false, system: false, virtual: null };
  return {
    id,
    title,
    uidt: 'Text',
    storage: 'string',
    cdf: null,
    meta: null,
    ...flags,
    ...more,
  } as ColumnEntity;
}

export const testColumns: readonly GridColumn[] = [
  { entity: testColumn('name', 'Name'), width: 200, type: textType },
  { entity: testColumn('age', 'Age', { storage: 'integer' }), width: 100, type: numberType },
  { entity: testColumn('done', 'Done'), width: 80, type: tickType },
  { entity: testColumn('fixed', 'Fixed'), width: 100, type: textType, whyReadOnly: '“Fixed” is read-only.' },
];

/** Where the rows of a test belong. */
export const testPlace = {
  project: { id: 'p_1', title: 'Demo' } as ProjectEntity,
  table: {
    id: 'md_1',
    title: 'People',
    columns: testColumns.map(({ entity }) => entity),
  } as unknown as TableEntity,
};

/** Rows in memory that note what was asked for, and of which a test says how they are. */
class TestRows extends MemoryRows {
  override error: Error | undefined = undefined;
  readonly ensured: [number, number][] = [];
  /** What to say instead of the number of rows. */
  counted: number | undefined | 'rows' = 'rows';

  override get count(): number | undefined {
    return this.counted === 'rows' ? super.count : this.counted;
  }

  override ensure(start = 0, end = 0): void {
    this.ensured.push([start, end]);
  }

  override retry(): void {
    this.error = undefined;
    this.change();
  }

  change(): void {
    this.rows = [...this.rows];
  }
}

export function makeRows(count: number): TestRows {
  return new TestRows(
    Array.from({ length: count }, (_, at): RowData => {
      const values: Record<string, CellValue> = {
        name: `row ${at}`,
        age: at,
        done: at % 2 === 0,
        fixed: 'fixed',
      };
      return { key: `k${at}`, values };
    }),
  );
}
