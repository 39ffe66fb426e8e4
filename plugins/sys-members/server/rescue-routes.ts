import {
  AccountStoreToken,
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  MembersToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { wireTime } from '@trellis/sdk/shared';
import { ownersObjectKind, type OwnedProjectEntity } from '../shared/index.ts';
import type { CustomRoles } from './roles/custom-roles.ts';

interface RescueBody {
  /** The new owner; the caller by default. */
  readonly user_id?: string | null;
}

/** All projects of the server with their owners, and a way to give an owner to those without one who can sign in. */
export function rescueRoutes(ctx: ServerPluginContext, customRoles: CustomRoles): readonly RouteDefinition[] {
  const members = ctx.get(MembersToken);
  const accounts = ctx.get(AccountStoreToken);
  const audit = ctx.get(AuditLogToken);
  const bus = ctx.get(BusToken);

  async function rescue(request: RouteRequest<Record<string, string>, object, RescueBody>) {
    const { scope, principal, params, body, ip, id: requestId } = request;
    const { projectId = '' } = params;
    const userId = body.user_id ?? principal.id;
    const email = (await accounts.byId(userId))?.email ?? '';
    // With a custom role, the account would not be a full owner.
    await customRoles.assign({ projectId, accountId: userId, email }, undefined, (unit) =>
      members.rescue(scope, projectId, userId, unit),
    );
    bus.publish('objects.changed', { projectId: '', objectKind: ownersObjectKind, requestId });
    await audit.record({
      type: 'AUTHENTICATION',
      subType: 'ROLES_MANAGEMENT',
      principal,
      ip,
      projectId,
      description: auditText('{{person}} became the owner of the project, whose owners were gone', {
        person: email,
      }),
    });
    return { msg: 'success' };
  }

  return [
    defineRoute({
      method: 'GET',
      path: 'projects',
      permission: 'projectRescue',
      summary: 'List all projects of the server with their owners',
      async handle({ scope }): Promise<{ readonly list: readonly OwnedProjectEntity[] }> {
        const list = (await members.owned(scope)).map(({ id, title, createdAt, owners }) => ({
          id,
          title,
          created_at: wireTime(createdAt),
          owners: owners.map(({ userId, email, isDisabled }) => ({
            id: userId,
            email,
            is_disabled: isDisabled,
          })),
        }));
        return { list };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, RescueBody>({
      method: 'POST',
      path: 'projects/:projectId/rescue',
      permission: 'projectRescue',
      summary: 'Make somebody the owner of a project none of whose owners can sign in',
      schemas: {
        body: { type: 'object', properties: { user_id: { type: ['string', 'null'], maxLength: 40 } } },
      },
      unknownKeys: 'refuse',
      handle: rescue,
    }),
  ];
}
