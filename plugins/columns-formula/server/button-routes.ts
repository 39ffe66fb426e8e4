import {
  defineRoute,
  OperationsToken,
  RowStoreToken,
  SchemaStoreToken,
  type ButtonPress,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';
import { button, type ButtonAct } from '../shared/index.ts';
import { buttonOptions } from './button-column.ts';

const errors = defineErrors({
  NO_BUTTON: { status: 404, message: 'This button is not there (any more).' },
  NO_ROW: { status: 404, message: 'The row of this button is not there (any more).' },
});

/** Lists the operations of buttons, and handles a press. */
export function buttonRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const operations = ctx.registry('operations');
  const runs = ctx.get(OperationsToken);
  const schema = ctx.get(SchemaStoreToken);
  const rows = ctx.get(RowStoreToken);

  return [
    defineRoute({
      method: 'GET',
      path: 'projects/:projectId/button-operations',
      permission: 'columnAdd',
      object: { kind: 'project', param: 'projectId' },
      summary: 'List the operations that can be put on buttons',
      handle: () =>
        Promise.resolve({
          list: operations.list().flatMap(({ id, button: of }): readonly ButtonAct[] =>
            of === undefined
              ? []
              : [
                  {
                    id,
                    label: of.label,
                    ...(of.choices !== undefined && { choice_label: of.choices.label }),
                  },
                ],
          ),
        }),
    }),
    defineRoute({
      method: 'GET',
      path: 'tables/:tableId/button-operations/:operation',
      permission: 'columnAdd',
      object: { kind: 'table', param: 'tableId' },
      summary: 'List what an operation can work with on buttons of a table',
      async handle({ scope, params }) {
        const { tableId = '', operation = '' } = params;
        const { scope: own } = await schema.open(scope, tableId);
        return { list: await runs.choices(operation, own, tableId) };
      },
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, { readonly rowKey: string }>({
      method: 'POST',
      path: 'columns/:columnId/press',
      permission: 'buttonPress',
      object: { kind: 'column', param: 'columnId' },
      summary: 'Press a button of a row; its operation asks for the rights that it needs',
      schemas: {
        body: {
          type: 'object',
          properties: { rowKey: { type: 'string', minLength: 1, maxLength: 2000 } },
          required: ['rowKey'],
        },
      },
      async handle({ scope, params, body, signal }) {
        const column = (await schema.snapshot(scope)).column(params['columnId'] ?? '');
        const readable = column === undefined ? new Set<string>() : scope.readableColumns(column.tableId);
        const isShown = column !== undefined && (readable === 'all' || readable.has(column.id));
        const { action, operation, choice } = buttonOptions(column?.meta ?? {});
        if (!isShown || column.type !== button.id || action !== 'run') throw errors.create('NO_BUTTON');
        const row = await rows.read(await schema.open(scope, column.tableId), body.rowKey);
        if (row === undefined) throw errors.create('NO_ROW');
        const press: ButtonPress = {
          projectId: scope.projectId ?? '',
          tableId: column.tableId,
          columnId: column.id,
          rowKey: body.rowKey,
          row,
          choice,
        };
        // An operation that no longer supports buttons counts as none.
        if (operations.get(operation) !== undefined && operations.get(operation)?.button === undefined)
          throw errors.create('NO_BUTTON');
        await runs.run(operation, { scope, input: press, signal });
        return { done: true };
      },
    }),
  ];
}
