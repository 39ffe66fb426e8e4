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

/** How one person looks at a view beside what the view keeps. @public */
export interface OwnLookParts {
  /** What rows must meet on top of the view's filters. */
  readonly filters: readonly FilterNode[];
  /** In place of the view's sorts; none: as the view has them. */
  readonly sorts: readonly SortKey[];
  /** In place of the view's groups, none of them included; undefined: as the view has them. */
  readonly groups: readonly SortKey[] | undefined;
  /** In place of what the view keeps by view additions, by their ids; those that are not named: as the view has them. */
  readonly additions: Readonly<Record<string, unknown>>;
  /** In place of options of the view that its type lets a person set for themselves (`ownOptions`); those that are not named: as the view has them. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** How one person looks at a view that others arrange: it changes nothing about the view and is not shown to others. @public */
export interface OwnLook extends OwnLookParts {
  change(this: void, parts: Partial<OwnLookParts>): void;
}

/** Whoever draws a view with its toolbar provides the look; where nobody does, a view shows what it keeps. @public */
export const OwnLookContext = createContext<OwnLook | undefined>(undefined);

/** A look that is as the view has it. @public */
export const plainLook: OwnLookParts = {
  filters: [],
  sorts: [],
  groups: undefined,
  additions: {},
  options: {},
};

/** Whether a look shows a view as the view has it. @public */
export function isPlainLook({ filters, sorts, groups, additions, options }: OwnLookParts): boolean {
  const isNothing = (of: object) => Object.keys(of).length === 0;
  return (
    isNothing(filters) && isNothing(sorts) && groups === undefined && isNothing({ ...additions, ...options })
  );
}

/** A look that ends with the component. @public */
export function useNewOwnLook(): OwnLook {
  const [parts, setParts] = useState(plainLook);
  return useMemo(
    () => ({ ...parts, change: (changed) => setParts((before) => ({ ...before, ...changed })) }),
    [parts],
  );
}

/** What it takes to keep a part in the view itself. */
const permissions: Readonly<Record<keyof OwnLookParts, string>> = {
  filters: 'filterUpdate',
  sorts: 'sortUpdate',
  groups: 'viewArrange',
  additions: 'viewArrange',
  options: 'viewArrange',
};

interface OfView {
  readonly project: ProjectEntity;
  /** Undefined where rows of a whole table are meant. */
  readonly view: ViewEntity | undefined;
}

interface OfTable extends OfView {
  readonly table: TableEntity;
}

/** The look by which this person arranges a part of the view for themselves; undefined where the view itself keeps what they set. @public */
export function useOwnLook(part: keyof OwnLookParts, { project, view }: OfView): OwnLook | undefined {
  const look = useContext(OwnLookContext);
  const keeps = view?.lock_type !== 'locked' && hasPermission(permissions[part], project);
  return keeps || view === undefined ? undefined : look;
}

/** The options of a view as this person looks at it: with what they set for themselves where the view is not theirs to arrange. @public */
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

/** What rows must meet for this person alone, as `useRows` reads those of a view. Conditions that cannot be asked, such as on a column that is gone, are left out. @public */
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

/** How this person sorts the rows, as `useRows` reads those of a view: in place of the view's sorts; empty where they stand as the view has them. @public */
export function useOwnSorts({ table, ...of }: OfTable): readonly SortKey[] {
  const sorts = useOwnLook('sorts', of)?.sorts ?? noSorts;
  const { columns } = table;
  return useMemo(
    () => sorts.filter(({ columnId }) => columns?.some(({ id }) => id === columnId)),
    [sorts, columns],
  );
}
