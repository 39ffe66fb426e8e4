/** Who may do something: a project as the server answers it, or an account. @public */
export interface Permitted {
  readonly permissions?: readonly string[];
}

/**
 * Whether the server said of one of them that the caller has a permission: `hasPermission('tableCreate', project)`. The server judges by
 * the same list, so that what a page offers by it is not refused for want of a right.
 * @public
 */
export function hasPermission(permission: string, ...of: readonly (Permitted | undefined)[]): boolean {
  return of.some((each) => each?.permissions?.includes(permission));
}

/** A project with the permissions that are left in one of its tables: what is offered in the table follows them. @public */
export function withinTable<Of extends Permitted>(
  project: Of,
  table: { readonly denied?: readonly string[] },
): Of {
  const { denied } = table;
  return denied === undefined
    ? project
    : { ...project, permissions: project.permissions?.filter((permission) => !denied.includes(permission)) };
}
