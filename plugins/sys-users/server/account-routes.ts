import {
  AccountStoreToken,
  auditText,
  defineRoute,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { wireTime, type JsonSchema } from '@trellis/sdk/shared';
import type { SessionEntity } from '../shared/index.ts';
import { authErrors } from './auth-errors.ts';
import type { AuthParts } from './auth-steps.ts';

interface ProfileBody {
  readonly firstname?: string | null;
  readonly lastname?: string | null;
}

const name: JsonSchema = { type: ['string', 'null'], maxLength: 200 };
const path = '/api/v1/auth';

/** The caller's profile and sessions. */
export function accountRoutes(
  ctx: ServerPluginContext,
  { sessions, steps }: Pick<AuthParts, 'sessions' | 'steps'>,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountStoreToken);
  const permission = 'ownAccount';

  async function saveProfile({
    body,
    principal,
  }: RouteRequest<Record<string, string>, Record<string, unknown>, ProfileBody>) {
    const { firstname, lastname } = body;
    const account = await accounts.update(principal.id, {
      ...(firstname !== undefined && { firstname: (firstname ?? '').trim() }),
      ...(lastname !== undefined && { lastname: (lastname ?? '').trim() }),
    });
    return { firstname: account.firstname ?? null, lastname: account.lastname ?? null };
  }

  async function list({ principal }: RouteRequest): Promise<{ readonly list: readonly SessionEntity[] }> {
    const found = await sessions.list(principal.id);
    return {
      list: found.map(({ id, createdAt, refreshedAt, agent, ip }) => ({
        id,
        is_current: id === principal.credentialId,
        created_at: wireTime(createdAt),
        refreshed_at: wireTime(refreshedAt),
        agent,
        ip,
      })),
    };
  }

  async function end(request: RouteRequest) {
    const { principal, params } = request;
    const isEnded = await sessions.end({ accountId: principal.id, id: params.sessionId ?? '' });
    if (!isEnded) throw authErrors.create('SESSION_MISSING');
    const told = auditText('{{person}} ended a session', { person: principal.email });
    await steps.record(principal, request, 'SESSION_END', told);
    return { msg: 'success' };
  }

  async function endOthers(request: RouteRequest) {
    const { principal } = request;
    const others = (await sessions.list(principal.id)).filter(({ id }) => id !== principal.credentialId);
    for (const { id } of others) await sessions.end({ accountId: principal.id, id });
    const told = auditText('{{person}} ended all other sessions', { person: principal.email });
    await steps.record(principal, request, 'SESSION_END', told);
    return { ended: others.length };
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, ProfileBody>({
      method: 'PATCH',
      path: `${path}/user/profile`,
      permission,
      summary: 'Change the own names',
      schemas: { body: { type: 'object', properties: { firstname: name, lastname: name } } },
      unknownKeys: 'refuse',
      handle: saveProfile,
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/sessions`,
      permission,
      summary: 'List the own sessions: from where and since when',
      handle: list,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/sessions`,
      permission,
      summary: 'End all own sessions but the one that asks',
      handle: endOthers,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/sessions/:sessionId`,
      permission,
      summary: 'End one of the own sessions',
      handle: end,
    }),
  ];
}
