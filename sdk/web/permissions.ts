/** The holder of permissions: a project in answers of the server, or an account. @public */
export interface Permitted {
  readonly permissions?: readonly string[];
}

/**
 * Whether the caller has a permission by one of the server's answers: `hasPermission('tableCreate', project)`. The server checks
 * the same list, so an action offered by it is not refused for lack of a right.
 * @public
 */
export function hasPermission(permission: string, ...of: readonly (Permitted | undefined)[]): boolean {
  return of.some((each) => each?.permissions?.includes(permission));
}

/** A project with the permissions that remain in one of its tables, for actions in the table. @public */
export function withinTable<Of extends Permitted>(
  project: Of,
  table: { readonly denied?: readonly string[] },
): Of {
  const { denied } = table;
  return denied === undefined
    ? project
    : { ...project, permissions: project.permissions?.filter((permission) => !denied.includes(permission)) };
}
