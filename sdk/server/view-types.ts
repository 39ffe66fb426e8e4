import { defineErrors, type JsonSchema } from '../shared/index.ts';
import type { Permission } from './access.ts';
import type { ServerPluginContext } from './context.ts';
import { toViewEntity } from './entities.ts';
import type { ViewDraft } from './registries.ts';
import { defineRoute, type RouteDefinition } from './routes.ts';
import type { ProjectSnapshot, TableSchema, ViewSchema } from './schema.ts';
import { SchemaStoreToken, ViewStoreToken } from './services.ts';

const viewErrors = defineErrors({
  VIEW_NOT_FOUND: { status: 404, message: 'View not found' },
  VIEW_TITLE_REQUIRED: { status: 400, message: 'View name is required' },
});

type Options = Readonly<Record<string, unknown>>;

/** A view with its table. @public */
export interface FoundView {
  readonly table: TableSchema;
  readonly view: ViewSchema;
}

/** A view of a project as the caller may see it; undefined if there is none. @public */
export function viewIn({ tables }: ProjectSnapshot, viewId: string): FoundView | undefined {
  for (const table of tables.values()) {
    const view = table.views.find(({ id }) => id === viewId);
    if (view !== undefined) return { table, view };
  }
  return undefined;
}

/**
 * The draft with few visible columns, for cards: the display column, those of `always`, and the first `count` others that the draft
 * shows. For the save rules of a new view.
 * @public
 */
export function withFirstColumns(
  draft: ViewDraft,
  table: TableSchema,
  { count, always = [] }: { readonly count: number; readonly always?: readonly string[] },
): ViewDraft {
  const isNaming = (id: string) => always.includes(id) || table.columnById.get(id)?.display === true;
  const others = draft.columns
    .filter(({ show, columnId }) => show && !isNaming(columnId))
    .filter(({ columnId }) => table.columnById.get(columnId)?.system === false)
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count);
  return {
    ...draft,
    columns: draft.columns.map((column) => ({
      ...column,
      show: isNaming(column.columnId) || others.includes(column),
    })),
  };
}

/** The draft with a column visible in any case, since the view cannot be drawn without it. For save rules. @public */
export function withShownColumn(draft: ViewDraft, columnId: string | undefined): ViewDraft {
  if (columnId === undefined) return draft;
  const columns = draft.columns.map((column) =>
    column.columnId === columnId ? { ...column, show: true } : column,
  );
  return { ...draft, columns };
}

/** The parts of a view type's routes. @public */
export interface ViewTypeRoutes<Body> {
  /** The id of the type: `gallery`. */
  readonly type: string;
  /** The last part of the path: `galleries`. */
  readonly plural: string;
  /** For the summaries: `a gallery view`. */
  readonly name: string;
  /** The properties of a body that set the view's own record. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** The view's record in answers. */
  toEntity(found: FoundView): object;
  /** The options that a body sets, merged over the saved ones. */
  toOptions(body: Body, saved: Options, table: TableSchema): Options;
}

interface CreateBody {
  readonly title?: string;
  readonly copy_from_id?: string | null;
  readonly show_system_fields?: boolean | 0 | 1 | null;
}

/**
 * The calls that the v1 API has for each view type: `POST /tables/{id}/galleries` creates a view, `GET` and `PATCH /galleries/{id}`
 * read and change its record. The plugin registers the permissions of `viewTypePermissions` with them.
 * @public
 */
export function viewTypeRoutes<Body extends object>(
  ctx: ServerPluginContext,
  { type, plural, name, properties, toEntity, toOptions }: ViewTypeRoutes<Body>,
): readonly RouteDefinition[] {
  const schema = ctx.get(SchemaStoreToken);
  const store = ctx.get(ViewStoreToken);
  const meta = '/api/v1/db/meta';
  const object = { kind: 'view', param: 'viewId' } as const;

  async function found(request: Parameters<RouteDefinition['handle']>[0]): Promise<FoundView> {
    const of = viewIn(await schema.snapshot(request.scope), request.params.viewId ?? '');
    if (of?.view.type !== type) throw viewErrors.create('VIEW_NOT_FOUND');
    return of;
  }

  return [
    defineRoute<Record<string, string>, Record<string, unknown>, Body & CreateBody>({
      method: 'POST',
      path: `${meta}/tables/:tableId/${plural}`,
      permission: `${type}ViewCreate`,
      object: { kind: 'table', param: 'tableId' },
      summary: `Create ${name}`,
      schemas: {
        body: {
          type: 'object',
          properties: {
            ...properties,
            title: { type: 'string', maxLength: 255 },
            show_system_fields: { enum: [true, false, 0, 1, null] },
            copy_from_id: { type: ['string', 'null'], maxLength: 40 },
          },
        },
      },
      async handle({ scope, params, body }) {
        const title = body.title?.trim();
        if (!title) throw viewErrors.create('VIEW_TITLE_REQUIRED');
        const table = await schema.table(scope, params.tableId ?? '');
        const source = table.views.find(({ id }) => id === body.copy_from_id);
        const saved = source?.type === type ? (source.meta ?? {}) : {};
        const view = await store.create(scope, table.id, {
          title,
          type,
          copyFrom: body.copy_from_id ?? undefined,
          showSystemFields: Boolean(body.show_system_fields),
          meta: toOptions(body, saved, table),
        });
        return toViewEntity(view, table);
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${meta}/${plural}/:viewId`,
      permission: `${type}ViewGet`,
      object,
      summary: `Read ${name}`,
      handle: async (request) => toEntity(await found(request)),
    }),
    defineRoute<Record<string, string>, Record<string, unknown>, Body>({
      method: 'PATCH',
      path: `${meta}/${plural}/:viewId`,
      permission: `${type}ViewUpdate`,
      object,
      summary: `Change ${name}`,
      schemas: { body: { type: 'object', properties } },
      async handle(request) {
        const { table, view } = await found(request);
        const saved = view.meta ?? {};
        const wanted = toOptions(request.body, saved, table);
        await store.update(request.scope, view.id, { meta: wanted, metaBefore: saved });
        return 1;
      },
    }),
  ];
}

/**
 * The permissions to read and change views of a type by the calls of `viewTypeRoutes`; the permission to create them is
 * `<type>ViewCreate`. @public
 */
export function viewTypePermissions(type: string, name: string): readonly Permission[] {
  return [
    {
      id: `${type}ViewGet`,
      label: `Read ${name}`,
      roles: ['editor', 'commenter', 'viewer'],
      scope: 'project',
    },
    { id: `${type}ViewUpdate`, label: `Change ${name}`, roles: [], scope: 'project' },
  ];
}
