import {
  AccessServiceToken,
  RowStoreToken,
  SchemaStoreToken,
  snapshotIfThere,
  type AccessScope,
  type Principal,
  type ScopeRule,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError, type Predicate } from '@trellis/sdk/shared';
import type { RowRule } from '../shared/index.ts';
import { createFillNewRows } from './fill-new-rows.ts';
import type { RuleStore } from './rule-store.ts';

const noRow: Predicate = { kind: 'always', value: false };
/** From this status on, an error is not the rule's fault: its database does not answer. */
const outage = 500;

/**
 * Limits each table to the rows that the rules of the caller's roles allow. If a rule can no longer be applied, because its column,
 * its comparison or an option in it was deleted, no row is left, so that no protected row is shown by mistake.
 */
export function rowRule(ctx: ServerPluginContext, rules: RuleStore): ScopeRule {
  const access = ctx.get(AccessServiceToken);
  const conditions = createConditions(ctx);
  const fillNewRows = createFillNewRows(ctx, rules);
  let hasFailed = false;
  let isFilling = false;

  async function predicateOf(scope: AccessScope, rule: RowRule, reader: Principal): Promise<Predicate> {
    if (rule.isStopped) return noRow;
    try {
      return (await conditions(scope, rule, reader)) ?? noRow;
    } catch (error) {
      // An external database that cannot be opened hides its rows, but not the rest of the project.
      const isElsewhere = (await isOfOthers(scope, rule.tableId)) && error instanceof Error;
      const isOutage = !(error instanceof TrellisError) || error.status >= outage;
      if (isOutage && !isElsewhere) throw error;
      hasFailed = true;
      return noRow;
    }
  }

  async function isOfOthers(scope: AccessScope, tableId: string): Promise<boolean> {
    const { tables, bases } = await ctx.get(SchemaStoreToken).snapshot(scope);
    return bases.get(tables.get(tableId)?.baseId ?? '')?.own === false;
  }

  const missed = [ctx.registry('filterOperators'), ctx.registry('columnTypes'), ctx.registry('baseKinds')];
  for (const registry of missed)
    ctx.own(
      registry.onDidChange(() => {
        if (!hasFailed) return;
        // A plugin that a rule needs may be on again.
        hasFailed = false;
        access
          .didChangeRules()
          .catch((error: unknown) => ctx.logger.warn('Row rules were not applied again', { error }));
      }),
    );

  return {
    id: 'row-rules',
    async narrow({ projectId, principal }) {
      if (projectId === undefined) return undefined;
      const all = await rules.list(projectId);
      if (all.length === 0) return undefined;
      // While no project has a rule, writes do not wait for this.
      if (!isFilling) ctx.tap('rows.willCreate', fillNewRows);
      isFilling = true;
      const scope = access.systemScope(projectId, 'row rules');
      const snapshot = await snapshotIfThere(ctx.get(SchemaStoreToken), scope);
      // A deleted project has no rows.
      if (snapshot === undefined) return undefined;
      const rowsOf = new Map<string, Map<string, Predicate>>();
      const changeableOf = new Map<string, Map<string, Predicate>>();
      for (const rule of all) {
        if (!snapshot.tables.has(rule.tableId)) continue;
        const limited = rule.limits === 'see' ? rowsOf : changeableOf;
        const ofRole = limited.get(rule.role) ?? new Map<string, Predicate>();
        limited.set(rule.role, ofRole.set(rule.tableId, await predicateOf(scope, rule, principal)));
      }
      return { rowsOf, changeableOf };
    },
  };
}

/** The conditions of a rule for a row of its table, for a given reader. */
export function createConditions(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  return async (
    scope: AccessScope,
    { tableId, filters }: Pick<RowRule, 'tableId' | 'filters'>,
    reader: Principal,
  ) => rows.conditionOf(await schema.open(scope, tableId), { filters, reader });
}
