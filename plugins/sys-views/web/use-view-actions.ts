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
import { optionsPermission, useTellRefusal, viewPath } from './use-view-calls.ts';
import { viewModes } from './view-modes.ts';

/** A view that is to be created. */
export interface NewView {
  readonly type: string;
  readonly title: string;
  readonly copyFrom?: ViewEntity;
}

/** A person's actions for a table's views. Refusals are reported, and the views are read again after each change. */
export interface ViewActions {
  /** The types of views that the person may create, at least for themselves. */
  readonly creatable: readonly WebViewType[];
  mayCreate(type: string): boolean;
  /** Whether this person's new views of a type are personal. */
  makesPersonal(type: string): boolean;
  /** Whether the person may change the shared views. */
  readonly mayUpdate: boolean;
  /** Whether the person may change the view's name and description. */
  mayDescribe(view: ViewEntity): boolean;
  mayDelete(view: ViewEntity): boolean;
  /** An unused name for a new view. */
  freeTitle(base: string): string;
  show(view: ViewEntity): void;
  /** Creates and shows a view; undefined if it was refused. */
  create(of: NewView): Promise<ViewEntity | undefined>;
  /** Resolves to whether it was done. @param success the message for the person in that case. */
  patch(view: ViewEntity, body: object, success?: string): Promise<boolean>;
  /** Sets who may change a view; asks before somebody else's view is hidden from everybody. */
  changeMode(view: ViewEntity, mode: ViewEntity['lock_type']): Promise<void>;
  /** Deletes a view after a confirmation; resolves to whether it was deleted. */
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
  const types = useRegistry('viewTypes');
  const mayCreateForAll = (type: string) => hasPermission(`${type}ViewCreate`, project);
  const mayHavePersonal = hasPermission('personalViewEdit', project);
  const mayCreate = (type: string) =>
    mayCreateForAll(type) ||
    (mayHavePersonal && hasPermission(optionsPermission(types.find(({ id }) => id === type)), project));
  // People see only their own personal views.
  const isOwn = ({ lock_type: mode }: ViewEntity) => mode === 'personal' && mayHavePersonal;
  const columnTypes = useRegistry('columnTypes');

  /** Sends the request and reads the views again; undefined if the server refused. */
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

  async function patch(view: ViewEntity, body: object, success?: string): Promise<boolean> {
    const done = await ask({ method: 'PATCH', path: viewPath(view), body }, { view });
    if (done !== undefined && success !== undefined)
      host.toast({ severity: 'success', summary: success, life: 2000 });
    return done !== undefined;
  }

  return {
    creatable: types.filter(({ id, creatable }) => creatable !== false && mayCreate(id)),
    mayCreate,
    makesPersonal: (type) => !mayCreateForAll(type),
    mayUpdate: hasPermission('viewUpdate', project),
    mayDescribe: (view) => isOwn(view) || hasPermission('viewUpdate', project),
    mayDelete: (view) => isOwn(view) || (hasPermission('viewDelete', project) && views.length > 1),
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
      // Its code is loaded meanwhile, so that the view appears at once.
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
          body: {
            title,
            type,
            ...(copyFrom && { copy_from_id: copyFrom.id }),
            ...(!mayCreateForAll(type) && { lock_type: 'personal' }),
          },
        },
        { refused },
      );
      if (made === undefined) return undefined;
      show(made.answer);
      host.toast({ severity: 'success', summary: t('View created'), life: 2000 });
      return made.answer;
    },
    patch,
    async changeMode(view, mode) {
      const { title, made_by: name } = view;
      // The table's default view cannot become personal: the server refuses it, so no question is asked.
      const isTaken = mode === 'personal' && view.made_by_me !== true && !view.is_default;
      const agreed =
        !isTaken ||
        (await host.confirm({
          title: t('Make {{title}} personal?', { title }),
          message: name
            ? t('{{name}} made this view. It will be yours, and nobody else will see it any more.', { name })
            : t('It will be yours, and nobody else will see it any more.'),
          confirmLabel: t('Make personal'),
          danger: true,
        }));
      const done = viewModes.find(({ value }) => value === mode)?.done ?? '';
      if (agreed) await patch(view, { lock_type: mode }, t(done));
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
