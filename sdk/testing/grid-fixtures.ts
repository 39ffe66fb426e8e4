import type { CellValue } from '../shared/index.ts';
import { aColumn, aProject, aTable, numberType, textType } from './table-fixtures.ts';
import { defineWebColumnType, type WebColumnType } from '../web/extensions/index.ts';
import { MemoryRows, type RowData } from '../web/rows/index.ts';
import type { GridColumn } from '../web/grid/grid-column.ts';

const tickType: WebColumnType = defineWebColumnType<boolean>({
  icon: 'tag',
  accepts: [],
  fallback: 'Text',
  operators: [],
  examples: [],
  Editor: 'text',
  id: 'Tick',
  label: 'Tick',
  storage: 'boolean',
  parse: (input) => ({ ok: true, value: input === 'true' }),
  format: (value) => (value === true ? 'true' : 'false'),
  toggle: (value) => value !== true,
});

export const testColumns: readonly GridColumn[] = [
  { entity: aColumn('name', 'Name'), width: 200, type: textType },
  { entity: aColumn('age', 'Age', { storage: 'integer' }), width: 100, type: numberType },
  { entity: aColumn('done', 'Done'), width: 80, type: tickType },
  { entity: aColumn('fixed', 'Fixed'), width: 100, type: textType, whyReadOnly: '“Fixed” is read-only.' },
];

/** Where the rows of a test belong. */
export const testPlace = { project: aProject(), table: aTable(testColumns.map(({ entity }) => entity)) };

/** Rows in memory that note what was asked for, and of which a test says how they are. */
export class TestRows extends MemoryRows {
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
