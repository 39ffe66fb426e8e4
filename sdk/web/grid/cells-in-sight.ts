import { createContext, useContext, useSyncExternalStore } from 'react';

/** A cell by its row's key and its column's id. @public */
export interface CellInSight {
  readonly rowKey: string;
  readonly columnId: string;
}

/** A frame around a cell. @public */
export interface CellMark {
  readonly columnId: string;
  /** A colour of CSS. */
  readonly color: string;
  /** Said at the cell when the pointer is over its corner: whose mark it is. */
  readonly label: string;
}

/** Marks by the keys of their rows. @public */
export type CellMarks = ReadonlyMap<string, readonly CellMark[]>;

const noMarks: CellMarks = new Map();

/**
 * The cells of the view that is open, between who draws them and what stands around them: a view says where the person is, an item of the
 * toolbar hears it, and marks cells that the view frames.
 * @public
 */
export class CellsInSight {
  #active: CellInSight | undefined;
  #marks = noMarks;
  readonly #marked = new Set<CellMarks>();
  readonly #listeners = new Set<() => void>();

  /** The cell where the person is. */
  get active(): CellInSight | undefined {
    return this.#active;
  }

  /** What all have marked. */
  get marks(): CellMarks {
    return this.#marks;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** For the view: the person is in this cell now, or in none. */
  enter(cell: CellInSight | undefined): void {
    if (cell?.rowKey === this.#active?.rowKey && cell?.columnId === this.#active?.columnId) return;
    this.#active = cell;
    this.#tell();
  }

  /** Marks cells, beside those that others mark. @returns takes the marks away */
  mark(marks: CellMarks): () => void {
    this.#marked.add(marks);
    this.#merge();
    return () => {
      if (this.#marked.delete(marks)) this.#merge();
    };
  }

  #merge(): void {
    const merged = new Map<string, readonly CellMark[]>();
    for (const marks of this.#marked)
      for (const [rowKey, ofRow] of marks) merged.set(rowKey, [...(merged.get(rowKey) ?? []), ...ofRow]);
    this.#marks = merged;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Whoever draws a view with its toolbar provides it; where nobody does, as for visitors, there are no marks. @public */
export const CellsInSightContext = createContext<CellsInSight | undefined>(undefined);

/** The cells of the view in sight. @public */
export function useCellsInSight(): CellsInSight | undefined {
  return useContext(CellsInSightContext);
}

/** The cells that are marked in the view in sight; renders again when they change. @public */
export function useCellMarks(): CellMarks {
  const cells = useCellsInSight();
  return useSyncExternalStore(cells?.subscribe ?? nothing, () => cells?.marks ?? noMarks);
}

const nothing = () => () => {};
