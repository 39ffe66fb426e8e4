import {
  AccountAdministrationToken,
  AuditLogToken,
  auditText,
  defineRoute,
  type AuditText,
  type Principal,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { factorErrors } from './factor-errors.ts';
import type { FactorStore } from './factor-store.ts';

interface CodeBody {
  readonly code: string;
}
type CodeRequest = RouteRequest<Record<string, string>, Record<string, unknown>, CodeBody>;
interface ConfirmBody extends CodeBody {
  readonly setup: string;
}
type ConfirmRequest = RouteRequest<Record<string, string>, Record<string, unknown>, ConfirmBody>;

const path = '/api/v1/two-factor';
const schemas = {
  body: {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', maxLength: 40 } },
  },
} as const;

const confirmSchemas = {
  body: {
    type: 'object',
    required: ['code', 'setup'],
    properties: { ...schemas.body.properties, setup: { type: 'string', maxLength: 1000 } },
  },
} as const;

/** The own second factor, and taking away somebody else's who lost the phone. */
/** The settings of the plugin. */
export interface FactorSettings {
  readonly isRequired: boolean;
  /** Also where a provider has let somebody in. */
  readonly asksAfterProviders: boolean;
}

export function factorRoutes(
  ctx: ServerPluginContext<FactorSettings>,
  factors: FactorStore,
): readonly RouteDefinition[] {
  const accounts = ctx.get(AccountAdministrationToken);
  const audit = ctx.get(AuditLogToken);
  const isRequired = () => ctx.settings.current.isRequired;

  function record({ principal, ip }: Pick<RouteRequest, 'principal' | 'ip'>, description: AuditText) {
    return audit.record({ type: 'AUTHENTICATION', subType: 'SECOND_FACTOR', principal, ip, description });
  }

  async function state({ principal }: RouteRequest) {
    const isSetUp = await factors.isSetUp(principal.id);
    const left = isSetUp ? await factors.recoveryCodesLeft(principal.id) : 0;
    return { isSetUp, recoveryCodesLeft: left, isRequired: isRequired() };
  }

  async function begin({ principal }: RouteRequest) {
    return factors.begin(ownerOf(principal));
  }

  async function confirm(request: ConfirmRequest) {
    const owner = ownerOf(request.principal);
    const recoveryCodes = await factors.confirm(owner, request.body.code, request.body.setup);
    await record(request, auditText('{{person}} set up two-factor sign-in', { person: owner.email }));
    return { recoveryCodes };
  }

  async function switchOff(request: CodeRequest) {
    const owner = ownerOf(request.principal);
    if (isRequired()) throw factorErrors.create('FACTOR_REQUIRED');
    await factors.check(owner, request.body.code);
    await factors.forget(owner.id);
    await record(request, auditText('{{person}} switched two-factor sign-in off', { person: owner.email }));
    return { msg: 'success' };
  }

  async function reset(request: RouteRequest) {
    ownerOf(request.principal);
    // First: a person with a session or an unfinished sign-in could set up their own factor.
    const account = await accounts.endSessions(request.scope, request.params.accountId ?? '');
    const wasSetUp = await factors.forget(account.id);
    const told = auditText('The two-factor sign-in of {{person}} was reset', { person: account.email });
    if (wasSetUp) await record(request, told);
    return { msg: 'success', wasSetUp };
  }

  const own = { permission: 'ownAccount' } as const;
  return [
    defineRoute({
      ...own,
      method: 'GET',
      path: `${path}/state`,
      summary: 'Whether the own second factor is set up',
      handle: state,
    }),
    defineRoute({
      ...own,
      method: 'POST',
      path: `${path}/begin`,
      summary: 'A secret for the own phone',
      handle: begin,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, ConfirmBody>({
      ...own,
      method: 'POST',
      path: `${path}/confirm`,
      summary: 'Put the second factor in force with a first code',
      schemas: confirmSchemas,
      unknownKeys: 'refuse',
      handle: confirm,
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, CodeBody>({
      ...own,
      method: 'POST',
      path: `${path}/off`,
      summary: 'Switch the own second factor off',
      schemas,
      unknownKeys: 'refuse',
      handle: switchOff,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/accounts/:accountId`,
      permission: 'accountReset',
      summary: "Take away somebody's second factor",
      handle: reset,
    }),
  ];
}

/** @throws TrellisError `FACTOR_SESSION` for an API token, which must not change how its owner signs in. */
function ownerOf(principal: Principal) {
  if (principal.kind !== 'user') throw factorErrors.create('FACTOR_SESSION');
  return { id: principal.id, email: principal.email };
}
