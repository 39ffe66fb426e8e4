import { createHash } from 'node:crypto';
import type { Change, ConditionReaches, LinkSchema } from '@trellis/sdk/server';
import type { Predicate } from '@trellis/sdk/shared';
import { waysOf, type Way } from '../query/ways.ts';
import { LinkedValues, mostNamed, predicateOf, type Named } from './linked-values.ts';
import type { OpenTables } from './open-table.ts';

/** Finds the rows of other tables that a condition depends on, and the rows for which a change there may change the result. */
export function createConditionReach(tables: OpenTables): ConditionReaches {
  return {
    async reachOf(handle, condition) {
      handle.scope.require('dataList');
      const { table } = handle;
      const open = await tables.open(handle);
      const { ways, trees } = waysOf(open.context, condition);
      const values = new LinkedValues(tables, open.handle);

      /** The rows of the table from which a way leads to rows that were changed. */
      async function along(way: Way, changes: readonly Change[]): Promise<Named | undefined> {
        const [last, ...before] = way.toReversed();
        let named = last && (await values.changedEnd(last, changes));
        for (const link of before) named = named && (await values.near(link, named));
        return named !== undefined && named.values.length <= mostNamed ? named : undefined;
      }

      return {
        meaning: meaningOf(ways, trees),
        tables: new Set(ways.flat().flatMap(tablesOf)),
        async touchedBy(changes) {
          const own = changes.flatMap(({ tableId, rowKey }) =>
            tableId === table.id && rowKey !== undefined ? [rowKey] : [],
          );
          const items: Predicate[] = [predicateOf(table, values.ofKeys(open.plan, own))];
          for (const way of ways) {
            const ends = new Set(way.slice(-1).flatMap(tablesOf));
            const there = changes.filter(({ tableId }) => ends.has(tableId));
            if (there.length === 0) continue;
            const named = await along(way, there);
            if (named === undefined) return undefined;
            items.push(predicateOf(table, named));
          }
          return { kind: 'or', items };
        },
      };
    },
  };
}

/** The tables whose changes change what a link leads to. */
function tablesOf({ toTableId, through }: LinkSchema): readonly string[] {
  return through === undefined ? [toTableId] : [toTableId, through.tableId];
}

function meaningOf(ways: readonly Way[], trees: ReadonlyMap<string, unknown>): string {
  const links = ways.flat().map(({ id, columnIds, toTableId, toColumnIds, through }) => {
    return [id, columnIds, toTableId, toColumnIds, through];
  });
  return createHash('sha256')
    .update(JSON.stringify([[...trees], links]))
    .digest('hex');
}
