import {
  createMeetsChange,
  isOfStoredCells,
  RowStoreToken,
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

/** Parses conditions from a request. @throws TrellisError 400 `AUTOMATION_CONDITION` */
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

/** Whether they contain a condition: groups alone would match all rows. */
export function hasCondition(nodes: readonly FilterNode[]): boolean {
  return nodes.some((node) => node.kind !== 'group' || hasCondition(node.children));
}

/** A change, and the table as the automation's owner may see it. */
interface SeenChange {
  readonly event: OutboxEvent;
  readonly handle: TableHandle;
  /** Returns the values for templates: the row right after the change and before it. */
  readonly payload: () => Promise<TemplateValues>;
}

/** Checks whether rows meet the conditions of an automation. */
export function createConditions(ctx: ServerPluginContext) {
  const rows = ctx.get(RowStoreToken);
  const meetsChange = createMeetsChange({ rows });

  /** @throws TrellisError 400 for an unknown column or comparison */
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

  /** @throws TrellisError `AUTOMATION_CONDITIONS_GONE` for conditions that were valid when they were saved */
  async function savedPredicate(
    handle: TableHandle,
    conditions: readonly unknown[],
  ): Promise<Predicate | undefined> {
    try {
      return await predicateOf(handle, conditions);
    } catch (error) {
      if (!(error instanceof TrellisError) || error.status >= 500) throw error;
      throw automationErrors.create('AUTOMATION_CONDITIONS_GONE', { reason: error.message });
    }
  }

  return {
    predicateOf,
    savedPredicate,

    /**
     * Whether the cells in a change tell if the row met the conditions before. @throws TrellisError `AUTOMATION_CONDITIONS_GONE`
     */
    async areOfStoredCells(conditions: readonly unknown[], handle: TableHandle): Promise<boolean> {
      const condition = await savedPredicate(handle, conditions);
      return condition === undefined || isOfStoredCells(condition, handle);
    },

    /**
     * Whether the row of a change meets the conditions and exists for the owner.
     *
     * @param comesToMatch whether it must not have met them before the change, which only stored cells tell
     * @throws TrellisError `AUTOMATION_CONDITIONS_GONE`
     */
    async areMet(
      conditions: readonly unknown[],
      { event, handle, payload }: SeenChange,
      comesToMatch: boolean,
    ): Promise<boolean> {
      const then = async () => (await payload()).data as Row | undefined;
      if (!(await meetsChange(undefined, event, handle, then))) return false;
      const condition = await savedPredicate(handle, conditions);
      if (condition === undefined) return true;
      const asksBefore = comesToMatch && event.change.op === 'update';
      if (!(await meetsChange(condition, event, handle, then))) return false;
      if (!asksBefore) return true;
      const before = { ...event, change: { ...event.change, after: event.change.before } };
      const rowBefore = async () => ((await payload()).previous ?? undefined) as Row | undefined;
      return !(await meetsChange(condition, before, handle, rowBefore));
    },

    /** Whether a row meets them now. */
    async areMetBy(conditions: readonly unknown[], handle: TableHandle, key: string): Promise<boolean> {
      const condition = await predicateOf(handle, conditions);
      return condition === undefined || rows.exists(handle, key, condition);
    },
  };
}
export type Conditions = ReturnType<typeof createConditions>;
