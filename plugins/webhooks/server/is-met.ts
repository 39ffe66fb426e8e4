import {
  changesCell,
  createMeetsChange,
  RowStoreToken,
  SchemaStoreToken,
  type OutboxEvent,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import {
  meets,
  NotDecided,
  TrellisError,
  type CellValue,
  type Predicate,
  type Row,
  type TemplateValues,
} from '@trellis/sdk/shared';
import type { Hook } from './hook-store.ts';
import type { Pause } from './pause.ts';

/** A change of a row, to decide whether a webhook reports it. */
export interface AskedChange {
  readonly event: OutboxEvent;
  readonly handle: TableHandle;
  /** Returns the values for templates. */
  readonly payload: () => Promise<TemplateValues>;
}

/** Whether a webhook reports a change; `unknown` if its view, or something in its conditions, was deleted. */
type Met = 'yes' | 'no' | 'unknown';

/** Stops deciding about a change after the webhook was paused because its conditions are no longer valid. */
class Unjudged extends Error {}
/** Decides whether a webhook reports a change: by the changed columns, the view's rows, and the conditions before and after it. */
export function createIsMet(ctx: ServerPluginContext, pause: Pause) {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);
  const meetsChange = createMeetsChange({ rows });

  return async (hook: Hook, asked: AskedChange): Promise<Met> => {
    try {
      return (await meetsAll(hook, asked)) ? 'yes' : 'no';
    } catch (error) {
      if (error instanceof Unjudged) return 'unknown';
      throw error;
    }
  };

  async function meetsAll(hook: Hook, asked: AskedChange): Promise<boolean> {
    const { columns, view_id: viewId, condition } = hook.settings;
    const isUpdate = hook.operation === 'update';
    if (isUpdate && columns.length > 0 && !columns.some((id) => changesCell(id, asked.event))) return false;
    if (viewId !== null && !(await isInView(hook, viewId, asked))) return false;
    if (condition !== true) return true;
    return (await meetsNow(hook, asked)) && (!isUpdate || (await metBefore(hook, asked)));
  }

  /** By the current filters of the view. */
  async function isInView(hook: Hook, viewId: string, asked: AskedChange): Promise<boolean> {
    const { scope, table } = asked.handle;
    if (!table.views.some(({ id }) => id === viewId)) {
      await pause(hook.id, 'HOOK_VIEW_GONE');
      throw new Unjudged();
    }
    const condition = await orPaused(hook, async () =>
      rows.conditionOf(await schema.open(scope, table.id, viewId)),
    );
    return (
      condition === undefined ||
      meetsChange(
        condition,
        asked.event,
        asked.handle,
        async () => (await asked.payload()).data as Row | undefined,
      )
    );
  }

  async function meetsNow(hook: Hook, asked: AskedChange): Promise<boolean> {
    if (hook.filters.length === 0) return true;
    const condition = await conditionOf(hook, hook.filters, asked.handle);
    return (
      condition === undefined ||
      meetsChange(
        condition,
        asked.event,
        asked.handle,
        async () => (await asked.payload()).data as Row | undefined,
      )
    );
  }

  async function metBefore(hook: Hook, { event, handle, payload }: AskedChange): Promise<boolean> {
    if (hook.before.length === 0) return true;
    const condition = await conditionOf(hook, hook.before, handle);
    if (condition === undefined) return true;
    const previous = ((await payload()).previous ?? {}) as Readonly<Record<string, CellValue>>;
    const cells = new Map(
      handle.table.columns
        .filter(({ storage }) => storage !== 'virtual')
        .map(({ id, title }) => [id, event.change.before?.[id] ?? previous[title] ?? null] as const),
    );
    try {
      return meets(condition, { kindOf: kindsIn(handle), cells });
    } catch (error) {
      // Values that were computed before the change are lost.
      if (error instanceof NotDecided) return false;
      throw error;
    }
  }

  function conditionOf(hook: Hook, filters: Hook['filters'], handle: TableHandle) {
    return orPaused(hook, () => rows.conditionOf(handle, { filters, reader: handle.scope.principal }));
  }

  /** If a column or a comparison was deleted, nothing is sent, since its author may have wanted to exclude it. */
  async function orPaused(
    hook: Hook,
    read: () => Promise<Predicate | undefined>,
  ): Promise<Predicate | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof TrellisError) || error.status >= 500) throw error;
      await pause(hook.id, 'HOOK_CONDITIONS_GONE');
      throw new Unjudged();
    }
  }
}

function kindsIn({ table }: Pick<TableHandle, 'table'>) {
  return (id: string) => table.columnById.get(id)?.storage;
}
