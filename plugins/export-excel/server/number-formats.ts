import { styles } from './cell.ts';

/** Programs refuse workbooks with more formats. */
const mostFormats = 200;

/** The number formats of one workbook's cells, which its `styles.xml` lists at the end. */
export class NumberFormats {
  readonly #styles = new Map<string, number>();

  /** Their codes, in the order of their indexes, after those of all workbooks. */
  get codes(): readonly string[] {
    return [...this.#styles.keys()];
  }

  /** The style index of a format; that of plain numbers if there are too many. */
  styleOf(code: string): number {
    const known = this.#styles.get(code);
    if (known !== undefined) return known;
    if (this.#styles.size >= mostFormats) return styles.plain;
    const style = Object.keys(styles).length + this.#styles.size;
    this.#styles.set(code, style);
    return style;
  }
}
