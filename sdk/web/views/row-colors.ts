import { useMemo, type CSSProperties } from 'react';
import type { TableEntity, ViewEntity } from '../../shared/index.ts';
import type { RowColor, RowColors, ViewProps } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import type { RowData } from '../rows/row-source.ts';
import { useOwnLook } from './own-look.ts';

type Options = Readonly<Record<string, unknown>>;

/** What an element that stands for a row is given, so that it has the row's colour. @public */
export interface RowColorAttributes {
  readonly 'data-row-color': RowColor['place'];
  /** `--tr-row-color`: the colour itself. */
  readonly style: CSSProperties;
}

/** The colours of the rows of a view, as this person looks at it. @public */
export interface ViewRowColors {
  /** The colour of a row; undefined for none. */
  of(this: void, row: RowData | undefined): RowColor | undefined;
  /** The same for an element that stands for the row: spread it there. Undefined for no colour. */
  attributesOf(this: void, row: RowData | undefined): RowColorAttributes | undefined;
}

interface OfView extends Pick<ViewProps, 'project' | 'table'> {
  /** Undefined where rows of a whole table are meant. */
  readonly view: ViewEntity | undefined;
}

const nothing: Options = {};
const noColors: readonly RowColors[] = [];

/** What view additions keep with a view, by their ids, as this person looks at it. */
function useViewAdditions(of: OfView): Options {
  const kept = of.view?.meta?.additions as Options | undefined;
  const own = useOwnLook('additions', of)?.additions;
  return useMemo(
    () => (kept === undefined && own === undefined ? nothing : { ...kept, ...own }),
    [kept, own],
  );
}

/** What colours the rows of a view, in order. */
function useColorings(of: OfView): readonly RowColors[] {
  const { table, view } = of;
  const colorings = useRegistry('rowColorings');
  const types = useRegistry('columnTypes');
  const operators = useRegistry('filterOperators');
  const additions = useViewAdditions(of);
  const isOfView = view !== undefined;
  return useMemo(() => {
    if (!isOfView) return noColors;
    const found = colorings.flatMap((coloring) => coloring.of({ table, additions, types, operators }) ?? []);
    return found.length === 0 ? noColors : found;
  }, [isOfView, colorings, table, additions, types, operators]);
}

/** The columns that the rows of a view are coloured by: they are read with the rows, shown or not. */
export function useColoringColumns(of: OfView): readonly string[] {
  const colorings = useColorings(of);
  const { columns } = of.table;
  return useMemo(
    () => [...new Set(idsIn(colorings))].filter((id) => columns?.some((column) => column.id === id)),
    [colorings, columns],
  );
}

const idsIn = (colorings: readonly RowColors[]) => colorings.flatMap(({ columnIds }) => columnIds);

/**
 * The colours that the rows of a view have, by whatever plugin colours them. A view whose type says `colors` among its `uses` draws them:
 * `<div {...colors.attributesOf(row)}>` is all that it takes where the element has a background of its own.
 * @public
 */
export function useRowColors(of: {
  readonly project: ViewProps['project'];
  readonly table: TableEntity;
  readonly view: ViewEntity;
}): ViewRowColors {
  const colorings = useColorings(of);
  return useMemo(() => {
    const colorOf: ViewRowColors['of'] = (row) => {
      if (row === undefined) return undefined;
      for (const { colorOf: find } of colorings) {
        const color = find(row.values);
        if (color !== undefined) return color;
      }
      return undefined;
    };
    return { of: colorOf, attributesOf: (row) => rowColorAttributes(colorOf(row)) };
  }, [colorings]);
}

/** What an element is given so that it has a colour of a row. @public */
export function rowColorAttributes(color: RowColor | undefined): RowColorAttributes | undefined {
  return (
    color && { 'data-row-color': color.place, style: { '--tr-row-color': color.color } as CSSProperties }
  );
}
