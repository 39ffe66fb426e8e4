import { isVisitor, type AccessService, type Principal } from '@trellis/sdk/server';
import { hostObjectKinds, type LiveEvent } from '@trellis/sdk/shared';

/** What of an event a listener may hear: all of it, less of it, or nothing (undefined). */
export async function forListener(
  access: AccessService,
  event: LiveEvent,
  principal: Principal,
): Promise<LiveEvent | undefined> {
  if (!('projectId' in event)) return event;
  // The event names no setting, and members choose from lists that settings of plugins fill, such as the channels of a webhook.
  if (
    event.kind === 'objects' &&
    event.projectId === '' &&
    event.objectKind === hostObjectKinds.pluginSettings
  )
    return event;
  const scope = await access.scopeFor(principal, event.projectId || undefined, 'live');
  // What lies outside of projects is the administrators'.
  if ((event.kind === 'task' || event.kind === 'objects') && event.projectId === '')
    return scope.may('taskList') ? event : undefined;
  if (!scope.may('tableList')) return undefined;
  if (event.kind === 'task' && !scope.may('taskList')) return undefined;
  if (event.kind !== 'rows' && event.kind !== 'rowsReset') return event;
  if (!scope.inTable(event.tableId).may('dataList')) return undefined;
  if (event.kind === 'rowsReset') return event;
  // A visitor reads rows again as well: the event says which member changed them.
  const seesAll =
    !isVisitor(principal) &&
    scope.can(undefined, 'read') &&
    scope.readableColumns(event.tableId) === 'all' &&
    scope.rowPredicate(event.tableId) === undefined;
  if (seesAll) return event;
  // A listener who may see a part of the table reads it again, and the server answers with that part.
  const { projectId, tableId, seq, requestId } = event;
  return { kind: 'rowsReset', projectId, tableId, seq, requestId };
}
