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
  /** Shown when the pointer is over the frame's corner: whose mark it is. */
  readonly label: string;
}

/** Marks by the keys of their rows. @public */
export type CellMarks = ReadonlyMap<string, readonly CellMark[]>;

const noMarks: CellMarks = new Map();

/**
 * The cells of the open view, shared between the view and its surroundings: the view reports where the person is, items of the
 * toolbar receive it, and mark cells that the view frames.
 * @public
 */
export class CellsInSight {
  #active: CellInSight | undefined;
  #marks = noMarks;
  readonly #marked = new Set<CellMarks>();
  readonly #listeners = new Set<() => void>();

  /** The person's cell. */
  get active(): CellInSight | undefined {
    return this.#active;
  }

  /** The marks of all. */
  get marks(): CellMarks {
    return this.#marks;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** For the view: the person entered this cell, or left all. */
  enter(cell: CellInSight | undefined): void {
    if (cell?.rowKey === this.#active?.rowKey && cell?.columnId === this.#active?.columnId) return;
    this.#active = cell;
    this.#tell();
  }

  /** Marks cells, in addition to the marks of others. @returns a function that removes the marks */
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

/** Provided by the component that draws a view with its toolbar; without it, as for visitors, there are no marks. @public */
export const CellsInSightContext = createContext<CellsInSight | undefined>(undefined);

/** The cells of the visible view. @public */
export function useCellsInSight(): CellsInSight | undefined {
  return useContext(CellsInSightContext);
}

/** The marked cells of the visible view; renders again when they change. @public */
export function useCellMarks(): CellMarks {
  const cells = useCellsInSight();
  return useSyncExternalStore(cells?.subscribe ?? nothing, () => cells?.marks ?? noMarks);
}

const nothing = () => () => {};
