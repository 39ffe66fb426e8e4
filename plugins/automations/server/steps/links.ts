import {
  mayRead,
  RowStoreToken,
  SchemaStoreToken,
  type AutomationStepCall,
  type ServerPluginContext,
  type TableHandle,
} from '@trellis/sdk/server';
import { TrellisError, type RowKey } from '@trellis/sdk/shared';
import { automationErrors } from '../automation-errors.ts';

/** The rows to set in a link column of a row. */
interface CellLinks {
  readonly linkId: string;
  readonly title: string;
  readonly rows: readonly RowKey[];
}

/** Helpers for steps that link rows. */
export function createLinkAccess(ctx: ServerPluginContext) {
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  /** Links a row and returns the operations to undo. @throws TrellisError the reason why it cannot hold the rows */
  async function setLinks(
    handle: TableHandle,
    key: RowKey,
    links: readonly CellLinks[],
  ): Promise<readonly string[]> {
    const done: string[] = [];
    for (const { linkId, rows: held } of links) {
      const { result, operationId } = await rows.setLinks(handle, linkId, [{ key, rows: held }]);
      const [refused] = result;
      if (refused !== undefined) throw refused.error;
      if (operationId !== undefined) done.push(operationId);
    }
    return done;
  }

  /** Undoes operations, the last one first. */
  async function isTakenBack({ scope }: TableHandle, operations: readonly string[]): Promise<boolean> {
    try {
      for (const id of operations.toReversed()) await rows.undo(scope, id);
      return true;
    } catch {
      // The owner may not delete rows, or somebody changed it meanwhile.
      return false;
    }
  }

  return {
    /**
     * The links that a step sets: one row per column, by its key; none if the template is empty.
     *
     * @throws TrellisError 403 for a column that the owner may not write, 404 for a row that does not exist for them
     */
    async linksOf(
      { table, scope }: TableHandle,
      { settings, fill }: AutomationStepCall,
    ): Promise<readonly CellLinks[]> {
      const links: CellLinks[] = [];
      for (const [id, template] of Object.entries(settings.cells ?? {})) {
        const column = table.columnById.get(id);
        const link = table.links.find((one) => one.id === column?.linkId);
        if (column === undefined || link === undefined) continue;
        // Both, as when links are set: a right that is missing only then would leave a row without its links.
        scope.require('relationDataAdd');
        scope.require('relationDataRemove');
        if (!mayRead(scope, column))
          throw automationErrors.create('AUTOMATION_READ_ONLY', { column: column.title });
        const key = fill(template).trim();
        const other = await schema.open(scope, link.toTableId);
        if (key !== '' && !(await rows.exists(other, key)))
          throw automationErrors.create('AUTOMATION_ROW', { key, table: other.table.title });
        links.push({ linkId: link.id, title: column.title, rows: key === '' ? [] : [key] });
      }
      return links;
    },

    setLinks,

    /**
     * Links a row that was just added; deletes it again if it cannot be linked.
     *
     * @throws TrellisError the reason why it cannot hold the rows; 409 `AUTOMATION_UNLINKED`, which is final, if the row stays
     *   without links
     */
    async linkAdded(
      handle: TableHandle,
      { key, operationId }: { readonly key: RowKey; readonly operationId: string | undefined },
      links: readonly CellLinks[],
    ): Promise<void> {
      const done = operationId === undefined ? [] : [operationId];
      try {
        for (const one of links) done.push(...(await setLinks(handle, key, [one])));
      } catch (error) {
        if (!(await isTakenBack(handle, done)))
          throw automationErrors.create(
            'AUTOMATION_UNLINKED',
            { key, table: handle.table.title, reason: messageOf(error), final: 'message' },
            { cause: error },
          );
        throw error;
      }
    },

    /** The links in readable form: keys by the titles of the columns. */
    shownLinks: (links: readonly CellLinks[]): Readonly<Record<string, RowKey | null>> =>
      Object.fromEntries(links.map(({ title, rows: [key = null] }) => [title, key])),
  };
}

const messageOf = (error: unknown) => (error instanceof TrellisError ? error.message : '');

export type LinkAccess = ReturnType<typeof createLinkAccess>;
