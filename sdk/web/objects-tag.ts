/**
 * The tag for data about objects of a kind: the live event `objects` reloads it.
 *
 * @param projectId absent for objects of the server
 * @public
 */
export function objectsTag(kind: string, projectId = ''): string {
  return `objects:${kind}:${projectId}`;
}
