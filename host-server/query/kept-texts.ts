import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';

/** The most texts kept for one list of columns. */
const mostKept = 200;

/** Texts of statements that differ only in their bindings. */
class KeptTexts {
  readonly #known = new Map<string, string | undefined>();

  /** The text of this shape, made once; undefined when `make` says that it cannot be kept. */
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
 * The kept texts of statements that show these columns and use a further table. A change of the schema replaces both objects, so
 * no outdated text is found. `columns` is an array that is reused, as those of `ShownColumns` are.
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
