import type { ColumnSchema, ProjectSnapshot } from '@trellis/sdk/server';
import type { SqlFragment } from '../sql/fragment.ts';
import { remembering, type CompileContext, type Reach } from './compile-context.ts';

/** Records what the SQL of computed columns asked about the caller's rights, to find out whether another caller would get the same SQL. */
class AskedRights {
  readonly #tableIds = new Set<string>();
  readonly #columns = new Map<string, Pick<ColumnSchema, 'tableId' | 'id'>>();
  #isFree = true;

  /** Whether no rule and no hidden column was met. */
  get isFree(): boolean {
    return this.#isFree;
  }

  /** A reach that answers as `reach` does and records what it was asked. */
  noting(reach: Reach): Reach {
    return {
      ...reach,
      ruleOf: (tableId) => {
        const rule = reach.ruleOf?.(tableId);
        this.#tableIds.add(tableId);
        this.#isFree &&= rule === undefined;
        return rule;
      },
      isHidden: (column) => {
        const isHidden = reach.isHidden?.(column) === true;
        this.#columns.set(column.id, column);
        this.#isFree &&= !isHidden;
        return isHidden;
      },
    };
  }

  /** Whether a caller would meet no rule and no hidden column either. */
  isFreeFor({ ruleOf, isHidden }: Reach): boolean {
    for (const tableId of this.#tableIds) if (ruleOf?.(tableId) !== undefined) return false;
    for (const column of this.#columns.values()) if (isHidden?.(column) === true) return false;
    return true;
  }
}

interface KeptList {
  readonly snapshot: ProjectSnapshot;
  readonly asked: AskedRights;
  readonly sql: SqlFragment;
}

const known = new WeakMap<readonly ColumnSchema[], KeptList>();

/**
 * SQL of a list of columns, some of them computed. It is kept for one snapshot of the project, since the sources of computed
 * columns may change without them, and only for callers who may see everything that it reaches.
 *
 * @param columns an array that is reused while column types and functions stay the same, as those of `ShownColumns` are
 */
export function keptComputed<Context extends CompileContext>(
  context: Context,
  columns: readonly ColumnSchema[],
  make: (context: Context) => SqlFragment,
): SqlFragment {
  const { snapshot } = context.reach;
  const kept = known.get(columns);
  if (kept?.snapshot === snapshot && kept.asked.isFreeFor(context.reach)) return kept.sql;
  const asked = new AskedRights();
  const sql = make(remembering({ ...context, reach: asked.noting(context.reach) }));
  if (asked.isFree) known.set(columns, { snapshot, asked, sql });
  return sql;
}
