import type { AccessScope } from './access.ts';
import type { ProjectSnapshot, TableSchema, ViewSchema } from './schema.ts';

/**
 * A table that the caller may reach, with the caller's scope and the schema. Only `SchemaStore.open` makes handles, once for a
 * request; stores refuse objects that merely look like one.
 * @public
 */
export abstract class TableHandle {
  abstract readonly scope: AccessScope;
  abstract readonly snapshot: ProjectSnapshot;
  abstract readonly table: TableSchema;
  /** Reads apply its filters, sorts and visible columns; writes ignore it. */
  abstract readonly view: ViewSchema | undefined;

  /** The table without its view. Throws 404 for a caller who is limited to some views. */
  abstract whole(): TableHandle;

  /** A class with a protected member cannot be imitated by an object literal, for the compiler either. */
  protected abstract readonly isOpened: true;
}
