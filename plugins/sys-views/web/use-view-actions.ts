import type { ProjectEntity, TableEntity, ViewEntity } from '@trellis/sdk/shared';
import {
  hasPermission,
  loadPart,
  useHost,
  useRegistry,
  type ApiRequest,
  type WebViewType,
} from '@trellis/sdk/web';
import { provideColumns } from './provide-columns.ts';
import { useTellRefusal, viewPath } from './use-view-calls.ts';

/** A view that is about to be made. */
export interface NewView {
  readonly type: string;
  readonly title: string;
  readonly copyFrom?: ViewEntity;
}

/** What a person can do with the views of a table. A refusal is told, and the views are read again after each change. */
export interface ViewActions {
  /** The types that the person may make views of. */
  readonly creatable: readonly WebViewType[];
  mayCreate(type: string): boolean;
  readonly mayUpdate: boolean;
  readonly mayDelete: boolean;
  /** A name for a new view that no other one has. */
  freeTitle(base: string): string;
  show(view: ViewEntity): void;
  /** Makes a view and shows it; undefined when that was refused. */
  create(of: NewView): Promise<ViewEntity | undefined>;
  /** Resolves to whether it was done. @param success what the person is told then. */
  patch(view: ViewEntity, body: object, success?: string): Promise<boolean>;
  /** Deletes a view after a question; resolves to whether it is gone. */
  remove(view: ViewEntity): Promise<boolean>;
}

export function useViewActions(
  project: ProjectEntity,
  table: TableEntity,
  views: readonly ViewEntity[],
): ViewActions {
  const host = useHost();
  const { t } = host;
  const tell = useTellRefusal();
  const mayCreate = (type: string) => hasPermission(`${type}ViewCreate`, project);
  const types = useRegistry('viewTypes');
  const columnTypes = useRegistry('columnTypes');

  /** Asks the server, and reads the views again; undefined when it refused. */
  async function ask<T>(
    request: ApiRequest,
    about: { readonly view?: ViewEntity; readonly refused?: string } = {},
  ): Promise<{ readonly answer: T } | undefined> {
    const { view, refused } = about;
    try {
      return { answer: await host.api.request<T>(request) };
    } catch (error) {
      tell(error, refused);
      return undefined;
    } finally {
      host.invalidate([`table:${table.id}`, ...(view ? [`view:${view.id}`] : [])]);
    }
  }

  function show({ id }: ViewEntity) {
    host.shell.openTab({ type: 'table', key: table.id, name: table.title, view: id });
  }

  return {
    creatable: types.filter(({ id, creatable }) => creatable !== false && mayCreate(id)),
    mayCreate,
    mayUpdate: hasPermission('viewUpdate', project),
    mayDelete: hasPermission('viewDelete', project) && views.length > 1,
    freeTitle(base) {
      const taken = new Set(views.map(({ title }) => title));
      let name = base;
      for (let count = 2; taken.has(name); count += 1) name = `${base} ${count}`;
      return name;
    },
    show,
    async create({ type, title, copyFrom }) {
      const refused = t('The view could not be made');
      const kind = types.find(({ id }) => id === type);
      // What draws it is fetched meanwhile, so that the view is there at once.
      if (kind?.View !== undefined) void loadPart(kind.View);
      try {
        const place = { project, table, types: columnTypes };
        if (kind !== undefined && copyFrom === undefined && !(await provideColumns(host, kind, place)))
          return undefined;
      } catch (error) {
        tell(error, refused);
        return undefined;
      }
      const made = await ask<ViewEntity>(
        {
          method: 'POST',
          path: `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}/views`,
          body: { title, type, ...(copyFrom && { copy_from_id: copyFrom.id }) },
        },
        { refused },
      );
      if (made === undefined) return undefined;
      show(made.answer);
      host.toast({ severity: 'success', summary: t('View created'), life: 2000 });
      return made.answer;
    },
    async patch(view, body, success) {
      const done = await ask({ method: 'PATCH', path: viewPath(view), body }, { view });
      if (done !== undefined && success !== undefined)
        host.toast({ severity: 'success', summary: success, life: 2000 });
      return done !== undefined;
    },
    async remove(view) {
      const agreed = await host.confirm({
        title: t('Delete view {{title}}?', { title: view.title }),
        message: t('Its sorts, filters and field order go with it. No row is deleted.'),
        confirmLabel: t('Delete'),
        danger: true,
      });
      if (!agreed) return false;
      const refused = t('The view could not be deleted');
      return (await ask({ method: 'DELETE', path: viewPath(view) }, { view, refused })) !== undefined;
    },
  };
}
