import {
  defineRoute,
  RouteAnswer,
  SchemaStoreToken,
  ViewStoreToken,
  type RouteDefinition,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { formView } from '../shared/index.ts';
import { formErrors } from './form-errors.ts';
import { formColumnProperties, toFieldOptions, type FormColumnBody } from './form-entity.ts';

/** The call of the v1 API for the columns of forms. */
export function formColumnRoutes(ctx: ServerPluginContext): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);
  return [
    defineRoute<Record<string, string>, Record<string, unknown>, FormColumnBody>({
      method: 'PATCH',
      path: '/api/v1/db/meta/form-columns/:viewColumnId',
      permission: 'formViewUpdate',
      object: { kind: 'viewColumn', param: 'viewColumnId' },
      summary: 'Change a field of a form',
      schemas: { body: { type: 'object', properties: formColumnProperties } },
      async handle({ scope, params, body }) {
        const { tables } = await schema.snapshot(scope);
        const views = [...tables.values()].flatMap((table) => table.views);
        const column = views
          .filter(({ type }) => type === formView.id)
          .flatMap(({ columns }) => columns)
          .find(({ id }) => id === params.viewColumnId);
        if (column === undefined) throw formErrors.create('FORM_COLUMN_NOT_FOUND');
        const saved = column.meta ?? {};
        const meta = toFieldOptions(body, saved);
        await store.setColumn(scope, column.viewId, column.columnId, {
          ...(body.show !== undefined && { show: Boolean(body.show) }),
          ...(body.order !== undefined && { order: body.order }),
          ...(meta && { meta, metaBefore: saved }),
        });
        return new RouteAnswer({ body: '' });
      },
    }),
  ];
}
