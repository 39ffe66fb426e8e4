/**
 * The tag of what pages show of objects of a kind: the live event `objects` has them read again.
 *
 * @param projectId left out for what belongs to the server
 * @public
 */
export function objectsTag(kind: string, projectId = ''): string {
  return `objects:${kind}:${projectId}`;
}
