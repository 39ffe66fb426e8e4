import type { AccessScope } from './access.ts';
import type { ProjectSnapshot, TableSchema, ViewSchema } from './schema.ts';

/**
 * A table that exists and that the caller may reach, with who asks and by which schema: resolved once for a request, by
 * `SchemaStore.open` alone. Stores refuse a copy that somebody put together.
 * @public
 */
export abstract class TableHandle {
  abstract readonly scope: AccessScope;
  abstract readonly snapshot: ProjectSnapshot;
  abstract readonly table: TableSchema;
  /** Reads apply its filters, sorts and visible columns; writes do not look at it. */
  abstract readonly view: ViewSchema | undefined;

  /** The table without its view. Throws 404 for a caller who is limited to some views. */
  abstract whole(): TableHandle;

  /** A class with a protected member has no look-alikes: an object literal is no handle for the compiler either. */
  protected abstract readonly isOpened: true;
}
