import type { GridCellType, GridColumn, GridRowData, GridRowSource } from './grid-types.ts';

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Text, and a number that refuses words: enough for most tests. */
export const textType: GridCellType = {
  Cell: ({ value }) => asText(value),
  editsInPlace: true,
  toText: asText,
  fromText: (text) => ({ ok: true, value: text === '' ? null : text }),
};

const numberType: GridCellType = {
  ...textType,
  align: 'end',
  fromText: (text) => {
    if (text === '') return { ok: true, value: null };
    const value = Number(text);
    return Number.isNaN(value) ? { ok: false, message: 'Not a number' } : { ok: true, value };
  },
};

const tickType: GridCellType = {
  ...textType,
  editsInPlace: false,
  toText: (value) => (value === true ? 'true' : 'false'),
  fromText: (text) => ({ ok: true, value: text === 'true' }),
  toggles: (value) => value !== true,
};

export const testColumns: readonly GridColumn[] = [
  { id: 'name', title: 'Name', width: 200, type: textType },
  { id: 'age', title: 'Age', width: 100, type: numberType },
  { id: 'done', title: 'Done', width: 80, type: tickType },
  { id: 'fixed', title: 'Fixed', width: 100, type: textType, readOnly: true },
];

/** A source whose rows are all there; `load` never waits. */
export class MemoryRows implements GridRowSource {
  version = 0;
  error: Error | undefined;
  count: number | undefined;
  readonly ensured: [number, number][] = [];
  private readonly listeners = new Set<() => void>();

  constructor(public rows: GridRowData[]) {
    this.count = rows.length;
  }

  get atLeast(): number {
    return this.rows.length;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  rowAt(index: number): GridRowData | undefined {
    return this.rows[index];
  }

  ensure(start: number, end: number): void {
    this.ensured.push([start, end]);
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  retry(): void {
    this.error = undefined;
    this.change();
  }

  put(index: number, values: Readonly<Record<string, unknown>>): void {
    const row = this.rows[index];
    if (row === undefined) throw new Error(`The test has no row ${index}`);
    this.rows = this.rows.with(index, { ...row, values: { ...row.values, ...values } });
    this.change();
  }

  change(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }
}

export function makeRows(count: number): MemoryRows {
  return new MemoryRows(
    Array.from({ length: count }, (_, at) => ({
      key: `k${at}`,
      values: { name: `row ${at}`, age: at, done: at % 2 === 0, fixed: 'fixed' },
    })),
  );
}
