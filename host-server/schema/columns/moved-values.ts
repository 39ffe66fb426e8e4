import { isExpected, type Registry, type RegistryView } from '@trellis/core';
import type { ProjectSnapshot, ServerColumnType } from '@trellis/sdk/server';
import {
  readTextList,
  writeTextList,
  type CellValue,
  type FilterNode,
  type FilterOperator,
  type MovedConditions,
  type ValueConversion,
} from '@trellis/sdk/shared';
import { findOperator } from '../../query/find-operator.ts';
import type { PluginErrors } from '../../runtime/tokens.ts';
import type { Unit } from '../../sql/unit.ts';
import { models } from '../../metadata/models/models.ts';
import { schemaErrors } from '../schema-errors.ts';
import { loadSnapshot } from '../snapshot/load-snapshot.ts';
import type { ConversionEnd } from './convert-value.ts';
import { createMoveInHolders, type MovedInHoldersDependencies } from './moved-in-holders.ts';
import { createFindNaming, type NamingMove } from './moved-in-options.ts';
import { createMoveInViews, type MovedInViewsDependencies } from './moved-in-views.ts';

type Options = Readonly<Record<string, unknown>>;
type ValueEnd = Pick<ConversionEnd, 'type' | 'storage' | 'title' | 'options'>;

/** The outcome for a value: `value` replaces it; `isGone` means that no cell holds it any more. */
export interface Fate {
  /** The value as the column reads it; undefined when the column cannot read it. */
  readonly read?: CellValue;
  readonly value?: CellValue;
  readonly isGone: boolean;
}
export type FateOf = (input: unknown) => Fate;
const stays: Fate = { isGone: false };

/** The new form of a value that is stored outside of rows. Undefined when it stays as it is, or when the column has no such value now. */
type Move = (input: unknown) => CellValue | undefined;

export interface MovedValues {
  /**
   * Converts the values of a column to changed options; undefined when every value stays.
   *
   * @throws TrellisError 500 `COLUMN_TYPE_FAILED` when the code of the type fails, here or in the conversion.
   */
  conversionOf(type: string, before: Options, after: Options): ValueConversion | undefined;
  /** Converts values outside of rows, such as in filters and default values, as people and clients write them. */
  moveOf(from: ValueEnd, to: Pick<ValueEnd, 'type' | 'options'>): Move | undefined;
  /** The computed columns whose options name values of the column that change, such as formulas that compare with an option. */
  naming(snapshot: ProjectSnapshot, columnId: string, ends: ValueEnds): readonly NamingMove[];
  /**
   * Updates the saved filters of a column, the options of its views and the conditions that plugins keep, so that they name the
   * new values; also for columns that show it over a link. The options of computed columns are updated too, unless
   * `keepsFormulas`.
   */
  moveConditions(
    unit: Unit,
    columnId: string,
    ends: ValueEnds,
    options: { readonly keepsFormulas: boolean },
  ): Promise<void>;
}

/** A column before and after. */
export interface ValueEnds {
  readonly from: ValueEnd;
  readonly to: ValueEnd;
}

export interface MovedValuesDependencies extends MovedInViewsDependencies, MovedInHoldersDependencies {
  readonly columnTypes: Registry<ServerColumnType>;
  readonly filterOperators: RegistryView<FilterOperator>;
  readonly errors: PluginErrors;
}

export function createMovedValues(deps: MovedValuesDependencies): MovedValues {
  const { columnTypes, filterOperators, errors } = deps;
  const moveInViews = createMoveInViews(deps);
  const moveInHolders = createMoveInHolders(deps);
  const findNaming = createFindNaming({ columnTypes, contained });

  function contained<T>(type: ServerColumnType, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (isExpected(error)) throw error;
      errors.charge(columnTypes.subject(type.id), error);
      throw schemaErrors.create('COLUMN_TYPE_FAILED', { type: type.label }, error);
    }
  }

  function conversionOf(id: string, before: Options, after: Options): ValueConversion | undefined {
    const type = columnTypes.get(id);
    if (type?.convertOptions === undefined) return undefined;
    const defaults = type.options?.defaults;
    const conversion = contained(type, () =>
      type.convertOptions?.({ ...defaults, ...before }, { ...defaults, ...after }),
    );
    return conversion && { convert: (value) => contained(type, () => conversion.convert(value)) };
  }

  function fateOf(from: ValueEnd, to: Pick<ValueEnd, 'type' | 'options'>): FateOf | undefined {
    const type = columnTypes.get(from.type);
    const conversion = from.type === to.type ? conversionOf(from.type, from.options, to.options) : undefined;
    if (type === undefined || conversion === undefined) return undefined;
    const options = { ...type.options?.defaults, ...from.options };
    const context = { id: '', title: from.title, required: false, storage: from.storage, options };
    return (input) => {
      const parsed = type.parse(input, context);
      if (!parsed.ok || parsed.value === null) return stays;
      const read = parsed.value;
      const { value, lost } = conversion.convert(read);
      if (lost || value === null) return { read, isGone: true };
      return JSON.stringify(value) === JSON.stringify(read) ? stays : { read, value, isGone: false };
    };
  }

  return {
    conversionOf,
    moveOf(from, to) {
      const fate = fateOf(from, to);
      return fate && ((input) => fate(input).value);
    },
    naming(snapshot, columnId, { from, to }) {
      const fate = fateOf(from, to);
      return fate === undefined ? [] : findNaming(snapshot, shownBy(snapshot, columnTypes, columnId), fate);
    },
    async moveConditions(unit, columnId, { from, to }, { keepsFormulas }) {
      const fate = fateOf(from, to);
      if (fate === undefined) return;
      const offered = columnTypes.get(from.type)?.operators ?? [];
      /** The values that a comparison names; undefined when its value is no value of the column. */
      const askedBy = (word: string, value: unknown): AskedValues | undefined => {
        const operator = findOperator(filterOperators, word);
        // A text is a value of the column if the type offers this comparison, else it is a keyword of the operator, such as `empty`.
        if (operator?.takes === 'words' && !offered.includes(operator.id)) return undefined;
        return askedValues(value, operator?.arity);
      };
      const moved = (word: string, value: unknown) => {
        const asked = askedBy(word, value);
        return asked && movedFilterValue(asked, (input) => fate(input).value);
      };
      const { ColumnModel } = await models();
      const column = await ColumnModel.query(unit.knex).findById(columnId).select('project_id');
      const snapshot = column && (await loadSnapshot(unit, column.project_id, 0));
      if (snapshot === undefined) return;
      const shown = shownBy(snapshot, columnTypes, columnId);
      if (!keepsFormulas)
        for (const naming of findNaming(snapshot, shown, fate)) await moveOptions(unit, naming);
      for (const { id, tableId } of [...shown].flatMap((of) => snapshot.column(of) ?? [])) {
        await moveFilters(unit, id, moved);
        const movedNode = (node: FilterNode): FilterNode => {
          if (node.kind === 'group') return { ...node, children: node.children.map(movedNode) };
          const value = node.columnId === id ? moved(node.operator, node.value) : undefined;
          return value === undefined ? node : { ...node, value: value as CellValue };
        };
        const isGone = (node: FilterNode): boolean => {
          if (node.kind === 'group') return node.children.some(isGone);
          const asked = node.columnId === id ? askedBy(node.operator, node.value) : undefined;
          return asked?.parts.some((part) => fate(part).isGone) === true;
        };
        const conditions: MovedConditions = {
          columnId: id,
          tableId,
          projectId: snapshot.project.id,
          filters: (nodes) => nodes.map(movedNode),
          isGone: (nodes) => nodes.some(isGone),
        };
        await moveInViews(unit, conditions);
        await moveInHolders(unit, conditions);
      }
    },
  };
}

/** Updates the values of a column's saved filters; `moved` gives undefined for a value that stays. */
async function moveFilters(
  unit: Unit,
  columnId: string,
  moved: (word: string, value: unknown) => unknown,
): Promise<void> {
  const { FilterModel } = await models();
  for (const filter of await FilterModel.query(unit.knex).where({ column_id: columnId })) {
    const value = moved(filter.operator ?? '', filter.value);
    if (value === undefined) continue;
    await FilterModel.query(unit.knex).findById(filter.id).patch({ value, updated_at: Date.now() });
  }
}

/** Stores the changed options of a computed column. */
async function moveOptions(unit: Unit, { column, moved }: NamingMove): Promise<void> {
  if (moved.meta === undefined) return;
  const { ColumnModel } = await models();
  const patch = { meta: moved.meta, updated_at: Date.now() };
  await ColumnModel.query(unit.knex).findById(column.id).patch(patch);
}

/** A column, and those that show its values unchanged over one link or several. */
function shownBy(
  snapshot: ProjectSnapshot,
  columnTypes: RegistryView<ServerColumnType>,
  id: string,
): ReadonlySet<string> {
  const all = [...snapshot.tables.values()].flatMap((table) =>
    table.columns.flatMap((column) => {
      const cells = columnTypes.get(column.type)?.server?.linked?.(column, snapshot);
      const link = cells && table.links.find((of) => of.id === cells.linkId);
      const to = link && snapshot.tables.get(link.toTableId);
      return to === undefined ? [] : [{ id: column.id, shown: cells?.columnId ?? to.displayColumn?.id }];
    }),
  );
  const found = new Set([id]);
  const follow = (shown: string): void => {
    for (const column of all) {
      if (column.shown !== shown || found.has(column.id)) continue;
      found.add(column.id);
      follow(column.id);
    }
  };
  follow(id);
  return found;
}

/** The value of a filter, split into single values. */
interface AskedValues {
  readonly parts: readonly unknown[];
  /** The form of the filter's value: a single value, a list, a text that quotes values where needed, or a text joined by commas. */
  readonly written: 'alone' | 'list' | 'quoted' | 'joined';
}

function askedValues(value: unknown, arity: FilterOperator['arity'] | undefined): AskedValues | undefined {
  if (arity === 'none' || value === undefined || value === null || value === '') return undefined;
  if (arity !== 'list' && arity !== 'two') return { parts: [value], written: 'alone' };
  if (typeof value !== 'string') return { parts: [value].flat(), written: 'list' };
  if (arity === 'list') return { parts: readTextList(value), written: 'quoted' };
  return { parts: value.split(',').map((part) => part.trim()), written: 'joined' };
}

/** The value of a filter after values moved; undefined when it stays. */
function movedFilterValue({ parts, written }: AskedValues, move: Move): unknown {
  const moved = parts.map((part) => move(part));
  if (moved.every((part) => part === undefined)) return undefined;
  const after = moved.map((part, at) => part ?? parts[at]);
  if (written === 'alone') return after[0];
  if (written === 'quoted') return writeTextList(after.map(String));
  // A value that contains a comma cannot be in a text joined by commas.
  return written === 'joined' && !after.some((part) => String(part).includes(',')) ? after.join(',') : after;
}
