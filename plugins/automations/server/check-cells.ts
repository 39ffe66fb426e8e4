import {
  RowStoreToken,
  SchemaStoreToken,
  type AccessScope,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import {
  placeholdersIn,
  templateValue,
  type AutomationInput,
  type AutomationSettings,
} from '@trellis/sdk/shared';

/** Checks whether columns would accept the cells that a step writes, as far as that is known before a run. */
export function createCheckCells(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  /** @throws TrellisError 400 whose parameter `column` names the column */
  async function checkInput(cells: object, tableId: string, scope: AccessScope): Promise<void> {
    const handle = await schema.open(scope, tableId);
    const { table } = handle;
    const writable = handle.scope.writableColumns(table.id);
    // If the person who saves it may not write, the run refuses, with its reason.
    if (!handle.scope.may('bulkDataUpdate')) return;
    for (const [id, template] of Object.entries(cells)) {
      const column = table.columnById.get(id);
      if (column === undefined || column.linkId !== undefined) continue;
      if (writable !== 'all' && !writable.has(id)) continue;
      // Values that are filled in later are known only in the run.
      if (typeof template === 'string' && placeholdersIn(template).length > 0) continue;
      const value = typeof template === 'string' ? templateValue(template, {}) : (template as unknown);
      // For no row, so that no other cells are checked.
      await rows.check(handle, { [column.title]: value === '' ? null : value }, []);
    }
  }

  return async (
    inputs: readonly AutomationInput[],
    settings: AutomationSettings,
    scope: AccessScope,
  ): Promise<void> => {
    for (const { id, kind, table = '' } of inputs) {
      const [cells, tableId] = [settings[id], settings[table]];
      if (kind !== 'cells' || typeof cells !== 'object' || cells === null) continue;
      if (typeof tableId === 'string') await checkInput(cells, tableId, scope);
    }
  };
}
