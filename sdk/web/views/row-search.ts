import { createContext, useCallback, useContext, useLayoutEffect, useMemo, useState } from 'react';
import type { ColumnEntity, ViewEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import type { RowRule } from '../rows/rows-options.ts';

/** A person's search in the visible view: it is neither saved nor shown to others. @public */
export interface RowSearch {
  /** Empty without a search. */
  readonly text: string;
  /** False while no component reads its rows by the search: a field for it would find nothing. */
  readonly isHeard: boolean;
  search(this: void, text: string): void;
  /** Registers that rows are read by the search; returns a function that ends this. */
  hear(this: void): () => void;
}

/** Provided by the component that draws a view with its toolbar; without it, as for visitors, rows cannot be searched. @public */
export const RowSearchContext = createContext<RowSearch | undefined>(undefined);

/** The search of the visible view. @public */
export function useRowSearch(): RowSearch | undefined {
  return useContext(RowSearchContext);
}

/** A search that ends when another view is opened. @public */
export function useNewRowSearch({ id }: Pick<ViewEntity, 'id'>): RowSearch {
  const [asked, setAsked] = useState({ viewId: id, text: '' });
  const text = asked.viewId === id ? asked.text : '';
  const [hearing, setHearing] = useState(0);
  const isHeard = hearing > 0;
  const hear = useCallback(() => {
    setHearing((before) => before + 1);
    return () => setHearing((before) => before - 1);
  }, []);
  return useMemo(
    () => ({ text, isHeard, hear, search: (next) => setAsked({ viewId: id, text: next }) }),
    [id, text, isHeard, hear],
  );
}

const noRules: readonly RowRule[] = [];

/**
 * The rules for rows of which one of the columns contains a text; none without a text, and none if no column can contain any.
 * @public
 */
export function searchRules(
  text: string,
  columns: readonly ColumnEntity[],
  types: readonly WebColumnType[],
): readonly RowRule[] {
  if (text === '') return noRules;
  // A text with a % is a pattern for the whole value.
  const value = text.includes('%') ? `%${text}%` : text;
  const children = columns
    .filter(({ uidt }) => types.find(({ id }) => id === uidt)?.operators.includes('like'))
    .map(({ id }) => ({
      fk_column_id: id,
      comparison_op: 'like',
      value,
      logical_op: 'or' as const,
    }));
  return children.length === 0 ? noRules : [{ is_group: true, children }];
}

/**
 * The rules of the current search: one of the columns contains the text. No rules without a search, and none without columns.
 * `useRows` applies them to a view; components that read rows otherwise call this, and the toolbar then offers the search.
 *
 * @public
 */
export function useSearchRules(columns: readonly ColumnEntity[] | undefined): readonly RowRule[] {
  const types = useRegistry('columnTypes');
  const search = useRowSearch();
  const text = search?.text ?? '';
  const hear = columns === undefined ? undefined : search?.hear;
  useLayoutEffect(() => hear?.(), [hear]);
  return useMemo(
    () => (columns === undefined ? noRules : searchRules(text, columns, types)),
    [columns, types, text],
  );
}
