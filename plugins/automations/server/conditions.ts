import {
  AccessServiceToken,
  createMeetsChange,
  RowStoreToken,
  SchemaStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import {
  readFilterNodes,
  TrellisError,
  type FilterNode,
  type Predicate,
  type Row,
  type TemplateValues,
} from '@trellis/sdk/shared';
import { automationErrors } from './automation-errors.ts';

/** Reads conditions as they travel. @throws TrellisError 400 `AUTOMATION_CONDITION` */
export function readConditions(given: readonly unknown[]): readonly FilterNode[] {
  const refuse = () => automationErrors.create('AUTOMATION_CONDITION');
  const nodes = readFilterNodes(given, refuse);
  const assertWhole = (of: readonly FilterNode[]): void => {
    for (const node of of) {
      if (node.kind === 'group') assertWhole(node.children);
      else if (node.columnId === '' || node.operator === '') throw refuse();
    }
  };
  assertWhole(nodes);
  return nodes;
}

/** Whether there is a condition among them: groups alone would mean all rows. */
export function hasCondition(nodes: readonly FilterNode[]): boolean {
  return nodes.some((node) => node.kind !== 'group' || hasCondition(node.children));
}

/** Asks whether rows meet the conditions of an automation. */
export function createConditions(ctx: ServerPluginContext) {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const meetsChange = createMeetsChange({ access, schema, rows });

  /** @throws TrellisError 400 where a column or a comparison is not there */
  async function predicateOf(
    handle: TableHandle,
    conditions: readonly unknown[],
  ): Promise<Predicate | undefined> {
    if (conditions.length === 0) return undefined;
    return rows.conditionOf(handle, {
      filters: readConditions(conditions),
      reader: handle.scope.principal,
    });
  }

  return {
    predicateOf,

    /**
     * Whether the row of a change meets them, and the rules by which rows exist for the owner.
     *
     * @param comesToMatch whether it must not have met them before a change
     * @param payload what templates take from: the row right after the change and before it
     * @throws TrellisError `AUTOMATION_CONDITIONS_GONE`
     */
    async areMet(
      conditions: readonly unknown[],
      event: OutboxEvent,
      handle: TableHandle,
      comesToMatch: boolean,
      payload: () => Promise<TemplateValues>,
    ): Promise<boolean> {
      const then = async () => (await payload()).data as Row | undefined;
      const seen = handle.scope.rowPredicate(handle.table.id);
      if (seen !== undefined && !(await meetsChange(seen, event, handle, then))) return false;
      let condition: Predicate | undefined;
      try {
        condition = await predicateOf(handle, conditions);
      } catch (error) {
        if (!(error instanceof TrellisError) || error.status >= 500) throw error;
        throw automationErrors.create('AUTOMATION_CONDITIONS_GONE', { reason: error.message });
      }
      if (condition === undefined) return true;
      if (!(await meetsChange(condition, event, handle, then))) return false;
      if (!comesToMatch || event.change.op !== 'update') return true;
      const before = { ...event, change: { ...event.change, after: event.change.before } };
      const rowBefore = async () => ((await payload()).previous ?? undefined) as Row | undefined;
      return !(await meetsChange(condition, before, handle, rowBefore));
    },

    /** Whether a row meets them as it is now. */
    async areMetBy(conditions: readonly unknown[], handle: TableHandle, key: string): Promise<boolean> {
      const condition = await predicateOf(handle, conditions);
      if (condition === undefined) return true;
      const { id } = handle.table;
      const narrowed = access.narrow(handle.scope, { rows: new Map([[id, condition]]) });
      return rows.exists(await schema.open(narrowed, id), key);
    },
  };
}
export type Conditions = ReturnType<typeof createConditions>;
