import { createContext, useContext, useMemo, useState } from 'react';
import type {
  ColumnEntity,
  FilterNode,
  ProjectEntity,
  SortKey,
  TableEntity,
  ViewEntity,
} from '../../shared/index.ts';
import { useRegistry } from '../host.tsx';
import { hasPermission } from '../permissions.ts';
import type { RowRule } from '../rows/rows-options.ts';
import { effectiveRules } from './effective-rules.ts';
import { useViewOptions } from './use-view-columns.ts';

/** A person's own settings for a view, in addition to the view's. @public */
export interface OwnLookParts {
  /** Conditions in addition to the view's filters. */
  readonly filters: readonly FilterNode[];
  /** Replace the view's sorts; empty for the view's own. */
  readonly sorts: readonly SortKey[];
  /** Replace the view's groups, even if empty; undefined for the view's own. */
  readonly groups: readonly SortKey[] | undefined;
  /** Replace the view's options of view additions, by their ids; absent ones are the view's own. */
  readonly additions: Readonly<Record<string, unknown>>;
  /**
   * Replace those options of the view that its type lets a person set for themselves (`ownOptions`); absent ones are the view's
   * own.
   */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A person's own settings for a view that others arrange: they neither change the view nor affect others. @public */
export interface OwnLook extends OwnLookParts {
  change(this: void, parts: Partial<OwnLookParts>): void;
}

/** Provided by the component that draws a view with its toolbar; without it, a view shows its own settings. @public */
export const OwnLookContext = createContext<OwnLook | undefined>(undefined);

/** Settings without changes. @public */
export const plainLook: OwnLookParts = {
  filters: [],
  sorts: [],
  groups: undefined,
  additions: {},
  options: {},
};

/** Whether the settings contain no changes. @public */
export function isPlainLook({ filters, sorts, groups, additions, options }: OwnLookParts): boolean {
  const isNothing = (of: object) => Object.keys(of).length === 0;
  return (
    isNothing(filters) && isNothing(sorts) && groups === undefined && isNothing({ ...additions, ...options })
  );
}

/** Settings that live as long as the component. @public */
export function useNewOwnLook(): OwnLook {
  const [parts, setParts] = useState(plainLook);
  return useMemo(
    () => ({ ...parts, change: (changed) => setParts((before) => ({ ...before, ...changed })) }),
    [parts],
  );
}

/** The permissions to save a part in the view itself. */
const permissions: Readonly<Record<keyof OwnLookParts, string>> = {
  filters: 'filterUpdate',
  sorts: 'sortUpdate',
  groups: 'viewArrange',
  additions: 'viewArrange',
  options: 'viewArrange',
};

interface OfView {
  readonly project: ProjectEntity;
  /** Undefined for the rows of a whole table. */
  readonly view: ViewEntity | undefined;
}

interface OfTable extends OfView {
  readonly table: TableEntity;
}

/** The person's own settings for a part of the view; undefined if the view itself stores changes. @public */
export function useOwnLook(part: keyof OwnLookParts, { project, view }: OfView): OwnLook | undefined {
  const look = useContext(OwnLookContext);
  const keeps = view?.lock_type !== 'locked' && hasPermission(permissions[part], project);
  return keeps || view === undefined ? undefined : look;
}

/** The options of a view for this person: with their own ones, if they may not arrange the view. @public */
export function useShownViewOptions(of: {
  readonly project: ProjectEntity;
  readonly view: ViewEntity;
}): Readonly<Record<string, unknown>> {
  const kept = useViewOptions(of.view);
  const own = useOwnLook('options', of)?.options;
  return useMemo(() => (own === undefined ? kept : { ...kept, ...own }), [kept, own]);
}

const noFilters: readonly FilterNode[] = [];
const noColumns: readonly ColumnEntity[] = [];
const noSorts: readonly SortKey[] = [];

/**
 * The person's own conditions, as `useRows` applies them to a view. Invalid ones, such as on a deleted column, are left out.
 * @public
 */
export function useOwnRules({ table, ...of }: OfTable): readonly RowRule[] {
  const types = useRegistry('columnTypes');
  const operators = useRegistry('filterOperators');
  const filters = useOwnLook('filters', of)?.filters ?? noFilters;
  const columns = table.columns ?? noColumns;
  return useMemo(
    () => effectiveRules(filters, { columns, types, operators }),
    [filters, columns, types, operators],
  );
}

/** The person's own sorts, as `useRows` applies them in place of the view's; empty for the view's own. @public */
export function useOwnSorts({ table, ...of }: OfTable): readonly SortKey[] {
  const sorts = useOwnLook('sorts', of)?.sorts ?? noSorts;
  const { columns } = table;
  return useMemo(
    () => sorts.filter(({ columnId }) => columns?.some(({ id }) => id === columnId)),
    [sorts, columns],
  );
}
