import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';

/** Texts that are kept for one list of columns. */
const mostKept = 200;

/** Texts of statements that differ in what they bind alone. */
class KeptTexts {
  readonly #known = new Map<string, string | undefined>();

  /** The text of this shape, made once; undefined where `make` says that it cannot be kept. */
  of(shape: string, make: () => string | undefined): string | undefined {
    if (this.#known.has(shape)) return this.#known.get(shape);
    const made = make();
    if (this.#known.size >= mostKept) this.#known.clear();
    this.#known.set(shape, made);
    return made;
  }
}

const known = new WeakMap<readonly ColumnSchema[], WeakMap<TableSchema, KeptTexts>>();

/**
 * The texts of statements that show these columns and name a further table. Both objects are others after a change of the schema, so
 * that nothing is found that was made before it; the array is one that comes again, as those of `ShownColumns` do.
 */
export function textsOf(columns: readonly ColumnSchema[], table: TableSchema): KeptTexts {
  let ofColumns = known.get(columns);
  if (ofColumns === undefined) {
    ofColumns = new WeakMap();
    known.set(columns, ofColumns);
  }
  let texts = ofColumns.get(table);
  if (texts === undefined) {
    texts = new KeptTexts();
    ofColumns.set(table, texts);
  }
  return texts;
}
