import { styles } from './cell.ts';

/** Programs refuse workbooks with more of them. */
const mostFormats = 200;

/** The formats of numbers that cells of one workbook ask for, as its `styles.xml` lists them in the end. */
export class NumberFormats {
  readonly #styles = new Map<string, number>();

  /** Their codes, in the order of their places behind those of all workbooks. */
  get codes(): readonly string[] {
    return [...this.#styles.keys()];
  }

  /** The place of a format among the styles; that of plain numbers where there are too many of them. */
  styleOf(code: string): number {
    const known = this.#styles.get(code);
    if (known !== undefined) return known;
    if (this.#styles.size >= mostFormats) return styles.plain;
    const style = Object.keys(styles).length + this.#styles.size;
    this.#styles.set(code, style);
    return style;
  }
}
