import { isCustomRoleId } from '#plugins/sys-members/shared';
import {
  AccessServiceToken,
  AuditLogToken,
  BusToken,
  defineRoute,
  LiveChannelToken,
  replacesSchema,
  SchemaStoreToken,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
} from '@trellis/sdk/server';
import {
  mostConditions,
  ruledRoles,
  ruleLimits,
  rulesObjectKind,
  type RowRule,
  type RuleLimit,
} from '../shared/index.ts';
import { createConditions } from './row-rule.ts';
import { ruleErrors } from './rule-errors.ts';
import { readFilters } from './rule-input.ts';
import { ruleOf, type RuleChange, type RulePlace, type RuleStore } from './rule-store.ts';

interface RuleBody {
  readonly filters: readonly unknown[];
  readonly limits?: RuleLimit;
  /** The revision that the caller changed: null for no rule. */
  readonly replaces?: string | null;
}

const path = 'projects/:projectId/rules';
const object = { kind: 'project', param: 'projectId' } as const;

/** The row rules of a project. */
export function ruleRoutes(ctx: ServerPluginContext, rules: RuleStore): readonly RouteDefinition[] {
  const access = ctx.get(AccessServiceToken);
  const schema = ctx.get(SchemaStoreToken);
  const audit = ctx.get(AuditLogToken);
  const bus = ctx.get(BusToken);
  const live = ctx.get(LiveChannelToken);
  const conditions = createConditions(ctx);

  /** @throws TrellisError for a role that cannot have rules, and for a table of another project. */
  async function placeOf({ scope, params }: Pick<RouteRequest, 'scope' | 'params'>): Promise<RulePlace> {
    const { tableId = '', role = '' } = params;
    if (!ruledRoles.some((of) => of === role) && !isCustomRoleId(role))
      throw ruleErrors.create('ROW_RULE_ROLE');
    const { tables } = await schema.snapshot(scope);
    if (!tables.has(tableId)) throw ruleErrors.create('ROW_RULE_TABLE');
    return { projectId: scope.projectId ?? '', tableId, role };
  }

  async function set(
    { scope, ip, id }: Pick<RouteRequest, 'scope' | 'ip' | 'id'>,
    place: RulePlace,
    change: RuleChange,
  ): Promise<void> {
    const { projectId, tableId } = place;
    await rules.set(place, change, (unit) => access.didChangeRules(unit));
    const { tables, generation } = await schema.snapshot(scope);
    const of = { table: tables.get(tableId)?.title ?? tableId };
    await audit.record({
      type: 'AUTHENTICATION',
      subType: 'ROW_RULES',
      principal: scope.principal,
      ip,
      projectId,
      tableId,
      description:
        change.rule === undefined
          ? auditText('The row rule of {{table}} was taken away', of)
          : auditText('The row rule of {{table}} was set', of),
    });
    live.publish({ kind: 'schema', projectId, generation, requestId: id });
    bus.publish('objects.changed', { projectId, objectKind: rulesObjectKind, requestId: id });
  }

  return [
    defineRoute({
      method: 'GET',
      path,
      permission: 'rowRuleList',
      object,
      summary: 'List which rows of which tables exist for which roles',
      async handle({ scope }): Promise<{ readonly list: readonly RowRule[] }> {
        const { tables } = await schema.snapshot(scope);
        const list = await rules.list(scope.projectId ?? '');
        return { list: list.filter(({ tableId }) => tables.has(tableId)) };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, RuleBody>({
      method: 'PUT',
      path: `${path}/:tableId/:role`,
      permission: 'rowRuleSet',
      object,
      summary: 'Say which rows of a table exist for a role; those who have it are held to that at once',
      schemas: {
        body: {
          type: 'object',
          required: ['filters'],
          properties: {
            limits: { type: 'string', enum: [...ruleLimits] },
            replaces: replacesSchema,
            filters: { type: 'array', maxItems: mostConditions, items: { type: 'object' } },
          },
        },
      },
      unknownKeys: 'refuse',
      async handle(request) {
        const place = await placeOf(request);
        const { limits = 'see', filters, replaces } = request.body;
        const rule = ruleOf(place, { limits, filters: readFilters(filters), isStopped: false });
        // Applied once, so that the author gets its errors.
        const asked = await conditions(request.scope, rule, request.scope.principal);
        if (asked === undefined) throw ruleErrors.create('ROW_RULE_EMPTY');
        await set(request, place, { rule, replaces });
        return rule;
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:tableId/:role`,
      permission: 'rowRuleSet',
      object,
      summary: 'Take the rule of a role for a table away: every row exists for the role again',
      async handle(request) {
        await set(request, await placeOf(request), { rule: undefined, replaces: undefined });
        return { msg: 'success' };
      },
    }),
  ];
}
