import { useMemo, type CSSProperties } from 'react';
import type { TableEntity, ViewEntity } from '../../shared/index.ts';
import type { RowColor, RowColors, ViewProps } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import type { RowData } from '../rows/row-source.ts';
import { useOwnLook } from './own-look.ts';

type Options = Readonly<Record<string, unknown>>;

/** The attributes of a row's element for its colour. @public */
export interface RowColorAttributes {
  readonly 'data-row-color': RowColor['place'];
  /** `--tr-row-color`: the colour itself. */
  readonly style: CSSProperties;
}

/** The colours of a view's rows for this person. @public */
export interface ViewRowColors {
  /** The colour of a row; undefined for none. */
  of(this: void, row: RowData | undefined): RowColor | undefined;
  /** The attributes of the row's element, to spread there. Undefined for no colour. */
  attributesOf(this: void, row: RowData | undefined): RowColorAttributes | undefined;
}

interface OfView extends Pick<ViewProps, 'project' | 'table'> {
  /** Undefined for the rows of a whole table. */
  readonly view: ViewEntity | undefined;
}

const nothing: Options = {};
const noColors: readonly RowColors[] = [];

/** The view's options of view additions, by their ids, for this person. */
function useViewAdditions(of: OfView): Options {
  const kept = of.view?.meta?.additions as Options | undefined;
  const own = useOwnLook('additions', of)?.additions;
  return useMemo(
    () => (kept === undefined && own === undefined ? nothing : { ...kept, ...own }),
    [kept, own],
  );
}

/** The colourings of a view's rows, in order. */
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

/** The columns that determine the colours of a view's rows: they are loaded with the rows, shown or not. */
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
 * The colours of a view's rows, from any plugin. A view whose type has `colors` in its `uses` draws them: `<div
 * {...colors.attributesOf(row)}>` is sufficient if the element has its own background.
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

/** The attributes of an element for a row's colour. @public */
export function rowColorAttributes(color: RowColor | undefined): RowColorAttributes | undefined {
  return (
    color && { 'data-row-color': color.place, style: { '--tr-row-color': color.color } as CSSProperties }
  );
}
