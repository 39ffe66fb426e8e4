import {
  AuditLogToken,
  auditText,
  BusToken,
  defineRoute,
  VariablesToken,
  type AuditText,
  type RouteDefinition,
  type RouteRequest,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import type { JsonSchema } from '@trellis/sdk/shared';
import {
  longestValue,
  mostVariables,
  namePattern,
  shortestSecret,
  variablesObjectKind,
  type VariableEntity,
} from '../shared/index.ts';
import { variableErrors } from './variable-errors.ts';
import type { StoredVariable, VariableStore } from './variable-store.ts';

type NoQuery = Record<string, unknown>;

interface NewBody {
  readonly name: string;
  readonly value: string;
  readonly is_secret?: boolean;
}

type ChangeBody = Partial<Omit<NewBody, 'name'>>;

const value: JsonSchema = { type: 'string', maxLength: longestValue };
const path = 'projects/:projectId/variables';
const object = { kind: 'project', param: 'projectId' } as const;
const isName = new RegExp(namePattern);

/** The variables of a project, and their names for authors of templates. */
export function variableRoutes(ctx: ServerPluginContext, store: VariableStore): readonly RouteDefinition[] {
  const audit = ctx.get(AuditLogToken);
  const variables = ctx.get(VariablesToken);
  const bus = ctx.get(BusToken);

  /** Records a change in the audit log, and informs the pages that show the variables. */
  async function record(
    { scope, ip, id: requestId }: Pick<RouteRequest, 'scope' | 'ip' | 'id'>,
    subType: 'CREATED' | 'UPDATED' | 'DELETED',
    description: AuditText,
  ): Promise<void> {
    const { principal, projectId = '' } = scope;
    await audit.record({ type: 'META', subType, principal, ip, projectId, description });
    bus.publish('objects.changed', { projectId, objectKind: variablesObjectKind, requestId });
  }

  function checkSecret(secret: string): void {
    if (secret.length < shortestSecret)
      throw variableErrors.create('VARIABLE_SHORT', { least: shortestSecret });
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/db/meta/projects/:projectId/variables',
      permission: 'variableUse',
      object,
      summary: 'List the names of the variables that templates of the project may name, without their values',
      async handle({ scope }) {
        const names = [...(await variables.resolve(scope)).entries()];
        return { list: names.map(([name, of]) => ({ name, is_secret: typeof of !== 'string' })) };
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      permission: 'variableUse',
      object,
      summary: 'List the variables that people keep in the project; the values of secret ones are left out',
      async handle({ scope }): Promise<{ readonly list: readonly VariableEntity[] }> {
        return { list: (await store.list(scope.projectId ?? '')).map(toEntity) };
      },
    }),
    defineRoute<Record<string, string>, NoQuery, NewBody>({
      method: 'POST',
      path,
      permission: 'variableSet',
      object,
      summary: 'Keep a variable in the project',
      schemas: {
        body: {
          type: 'object',
          required: ['name', 'value'],
          properties: { name: { type: 'string', maxLength: 1000 }, value, is_secret: { type: 'boolean' } },
        },
      },
      unknownKeys: 'refuse',
      async handle(request) {
        const { name, value: given, is_secret: isSecret = false } = request.body;
        const projectId = request.scope.projectId ?? '';
        if (!isName.test(name)) throw variableErrors.create('VARIABLE_NAME');
        if (isSecret) checkSecret(given);
        if ((await store.list(projectId)).length >= mostVariables)
          throw variableErrors.create('VARIABLE_MANY', { most: mostVariables });
        if (!(await store.add(projectId, name, { value: given, isSecret })))
          throw variableErrors.create('VARIABLE_EXISTS', { name });
        await record(request, 'CREATED', auditText('The variable {{name}} was made', { name }));
        return { msg: 'success' };
      },
    }),
    defineRoute<Record<string, string>, NoQuery, ChangeBody>({
      method: 'PATCH',
      path: `${path}/:name`,
      permission: 'variableSet',
      object,
      summary:
        'Give a variable another value, or make a secret of it; a secret is opened only with a new value',
      schemas: { body: { type: 'object', properties: { value, is_secret: { type: 'boolean' } } } },
      unknownKeys: 'refuse',
      async handle(request) {
        const { name = '' } = request.params;
        const projectId = request.scope.projectId ?? '';
        const isKept = await store.change(projectId, name, (was) => {
          const { value: given, is_secret: isSecret = was.isSecret } = request.body;
          if (given === undefined && was.isSecret && !isSecret)
            throw variableErrors.create('VARIABLE_OPENED');
          // A variable that becomes a secret is sealed with its current value.
          const next = given ?? (isSecret ? was.value : undefined);
          if (isSecret && next !== undefined) checkSecret(next);
          return { value: next, isSecret };
        });
        if (!isKept) throw variableErrors.create('VARIABLE_GONE', { name });
        await record(request, 'UPDATED', auditText('The variable {{name}} was changed', { name }));
        return { msg: 'success' };
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:name`,
      permission: 'variableSet',
      object,
      summary: 'Delete a variable: what names it is not sent any more',
      async handle(request) {
        const { name = '' } = request.params;
        if (!(await store.remove(request.scope.projectId ?? '', name)))
          throw variableErrors.create('VARIABLE_GONE', { name });
        await record(request, 'DELETED', auditText('The variable {{name}} was deleted', { name }));
        return { msg: 'success' };
      },
    }),
  ];
}

function toEntity({ name, isSecret, value: open, updatedAt }: StoredVariable): VariableEntity {
  return { name, is_secret: isSecret, value: open ?? null, updated_at: new Date(updatedAt).toISOString() };
}
