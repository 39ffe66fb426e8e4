import { createContext, useContext } from 'react';
import type { FilterEntity, SortEntity, TableEntity, ViewColumnEntity, ViewEntity } from '../shared/index.ts';
import type { ApiRequest } from './api.ts';
import { useHost, useServerData, type ServerData } from './host.tsx';
import { RowPanelToken, type OpenedRow, type RowPanel } from './services.ts';

/** Why the page of a link checks for changes by members: the visitor returned to it, or time passed. @public */
export type VisitLook = 'return' | 'time';

/** A view that is drawn for the holder of its link: it uses no calls that need a session. @public */
export interface VisitedView {
  /** The id in the link. */
  readonly uuid: string;
  readonly password?: string;
  readonly viewId: string;
  /** The view's options for its shown columns. */
  readonly columns: readonly ViewColumnEntity[];
  /** The visitor's query in addition to the view: a condition in the form of the API's `where`, an order in that of `sort`. */
  readonly query?: Readonly<Record<string, string>>;
  /** The tables that its links lead to, as far as the visitor may see them, by id. */
  readonly tables?: Readonly<Record<string, TableEntity>>;
  /** False if the link allows no searches. */
  readonly allowsSearch?: boolean;
  /** Shows a single row, from the visitor's data; absent if the page shows none. */
  openRow?(this: void, row: OpenedRow): void;
  /** Notifies when rows must be reloaded, since visitors have no live channel; returns a function that unsubscribes. */
  onLook?(this: void, listener: (look: VisitLook) => void): () => void;
  /**
   * Called with a refused call. Resolves to true once it may be sent again, after the visitor entered the link's password, and to
   * false if that is not the reason.
   */
  onRefused?(this: void, error: unknown): Promise<boolean>;
}

/** The page of a link draws the view's web half inside this context; hooks that read a view then use its data. @public */
export const VisitedViewContext = createContext<VisitedView | undefined>(undefined);

/** The visit for which a view is drawn; undefined for members. */
export function useVisitOf(viewId: string): VisitedView | undefined {
  const visited = useContext(VisitedViewContext);
  return visited?.viewId === viewId ? visited : undefined;
}

/** The visit of the link's holder, in any part of its page; undefined for members. @public */
export function useVisitedView(): VisitedView | undefined {
  return useContext(VisitedViewContext);
}

/** A public call of a link: `end` is the rest of its path, without a leading slash. @public */
export function visitedCall(
  { uuid, password }: Pick<VisitedView, 'uuid' | 'password'>,
  end: string,
): Pick<ApiRequest, 'path' | 'headers'> {
  const path = `/api/v1/db/public/shared-view/${encodeURIComponent(uuid)}/${end}`;
  return { path, ...(password !== undefined && { headers: { 'xc-password': password } }) };
}

/**
 * Sends a call of a link with the current password: a call that is refused because the password changed waits for the new one and
 * is sent again.
 * @public
 */
export async function sendAsVisitor<T>(
  visit: () => Pick<VisitedView, 'password' | 'onRefused'>,
  send: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const { password } = visit();
    try {
      return await send(password === undefined ? {} : { 'xc-password': password });
    } catch (error) {
      const now = visit();
      if (now.password === password && (await now.onRefused?.(error)) !== true) throw error;
    }
  }
}

const nothing: readonly never[] = [];

/** The filters of a view; none for visitors, who do not learn them; undefined until they are loaded, and without a view. @public */
export function useViewFilters(view: ViewEntity | undefined): readonly FilterEntity[] | undefined {
  const visit = useVisitOf(view?.id ?? '');
  const { data } = useOfView<readonly FilterEntity[]>(view, 'filters', visit);
  return visit ? nothing : data;
}

/** The sorts of a view; none for visitors, who do not learn them; undefined until they are loaded, and without a view. @public */
export function useViewSorts(view: ViewEntity | undefined): readonly SortEntity[] | undefined {
  const visit = useVisitOf(view?.id ?? '');
  const { data } = useOfView<{ readonly sorts: { readonly list: readonly SortEntity[] } }>(
    view,
    'sorts',
    visit,
  );
  return visit ? nothing : data?.sorts.list;
}

function useOfView<T>(
  view: ViewEntity | undefined,
  part: string,
  visit: VisitedView | undefined,
): ServerData<T> {
  const id = view?.id ?? '';
  const path = `/api/v1/db/meta/views/${encodeURIComponent(id)}/${part}`;
  return useServerData<T>(visit || view === undefined ? undefined : { path }, { tags: [`view:${id}`] });
}

/** The places of columns in a view, including hidden ones; undefined until they are loaded, and without a view. */
export function useViewPlaces(
  view: ViewEntity | undefined,
): Pick<ServerData<readonly ViewColumnEntity[]>, 'data' | 'error' | 'refetch'> {
  const visit = useVisitOf(view?.id ?? '');
  const asked = useOfView<readonly ViewColumnEntity[]>(view, 'columns', visit);
  return { data: visit?.columns ?? asked.data, error: asked.error, refetch: asked.refetch };
}

/**
 * The panel for a single row; undefined if there is none. For visitors the page of the link shows it, since the members' panel
 * reads what only they may. @public
 */
export function useRowPanel(): Pick<RowPanel, 'open'> | undefined {
  const host = useHost();
  const visited = useContext(VisitedViewContext);
  if (visited === undefined) return host.find(RowPanelToken);
  return visited.openRow && { open: visited.openRow };
}
