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
};

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
  groups: 'viewUpdate',
  additions: 'viewUpdate',
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
