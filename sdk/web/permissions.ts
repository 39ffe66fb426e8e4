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
