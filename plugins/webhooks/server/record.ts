import {
  AuditLogToken,
  BusToken,
  type AuditText,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { hooksObjectKind } from '../shared/index.ts';
import type { Hook } from './hook-store.ts';

/** The author of an action, and the call. */
type Doer = Pick<RouteRequest, 'principal' | 'id'> & Partial<Pick<RouteRequest, 'ip'>>;

/** Records an action on a webhook in the audit log, and informs open pages. */
export type RecordHook = (
  by: Doer,
  hook: Pick<Hook, 'projectId' | 'baseId' | 'tableId'>,
  subType: string,
  description: AuditText,
) => Promise<void>;

/** Creates a function that only writes to the audit log, for actions that change nothing. */
export function createNote(ctx: ServerPluginContext): RecordHook {
  const audit = ctx.get(AuditLogToken);
  return ({ principal, ip }, { projectId, baseId, tableId }, subType, description) => {
    const place = { projectId, baseId, tableId };
    return audit.record({
      type: 'WEBHOOKS',
      subType,
      principal,
      ...(ip !== undefined && { ip }),
      ...place,
      description,
    });
  };
}

export function createRecord(ctx: ServerPluginContext): RecordHook {
  const note = createNote(ctx);
  const bus = ctx.get(BusToken);
  return async (by, hook, subType, description) => {
    await note(by, hook, subType, description);
    const { projectId } = hook;
    bus.publish('objects.changed', { projectId, objectKind: hooksObjectKind, requestId: by.id });
  };
}
