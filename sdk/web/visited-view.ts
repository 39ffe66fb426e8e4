import { createContext, useContext } from 'react';
import type { FilterEntity, SortEntity, TableEntity, ViewColumnEntity, ViewEntity } from '../shared/index.ts';
import type { ApiRequest } from './api.ts';
import { useHost, useServerData, type ServerData } from './host.tsx';
import { RowPanelToken, type OpenedRow, type RowPanel } from './services.ts';

/** Why the page of a link looks for what members changed: the visitor came back to it, or some time went by. @public */
export type VisitLook = 'return' | 'time';

/** A view that is drawn for whoever has its link: nothing of it is asked of calls that need a session. @public */
export interface VisitedView {
  /** What the link names. */
  readonly uuid: string;
  readonly password?: string;
  readonly viewId: string;
  /** What the view keeps of the columns that it shows. */
  readonly columns: readonly ViewColumnEntity[];
  /** What the visitor asks for on top of the view: a condition as the API's `where`, an order as its `sort`. */
  readonly query?: Readonly<Record<string, string>>;
  /** The tables that its links lead to, as far as the visitor knows them, by their ids. */
  readonly tables?: Readonly<Record<string, TableEntity>>;
  /** False where the link allows no searches. */
  readonly allowsSearch?: boolean;
  /** Shows a row by itself, of what the visitor was given of it; left out where the page shows none. */
  openRow?(this: void, row: OpenedRow): void;
  /** Hears when rows are to be read again, since no live channel tells visitors what members change; returns the way back. */
  onLook?(this: void, listener: (look: VisitLook) => void): () => void;
  /**
   * Told of a call that was refused. Resolves to true once it may be sent again, since the visitor gave the password that the link asks for
   * by now, and to false where that is not why.
   */
  onRefused?(this: void, error: unknown): Promise<boolean>;
}

/** The page of a link draws the view's web half inside of this context; hooks that read a view then answer from it. @public */
export const VisitedViewContext = createContext<VisitedView | undefined>(undefined);

/** The visit that a view is drawn for; undefined where members look at it. */
export function useVisitOf(viewId: string): VisitedView | undefined {
  const visited = useContext(VisitedViewContext);
  return visited?.viewId === viewId ? visited : undefined;
}

/** The visit of whoever came by a link, whatever of its page is drawn; undefined for members. @public */
export function useVisitedView(): VisitedView | undefined {
  return useContext(VisitedViewContext);
}

/** A call for whoever has a link: `end` says which one, without a slash before it. @public */
export function visitedCall(
  { uuid, password }: Pick<VisitedView, 'uuid' | 'password'>,
  end: string,
): Pick<ApiRequest, 'path' | 'headers'> {
  const path = `/api/v1/db/public/shared-view/${encodeURIComponent(uuid)}/${end}`;
  return { path, ...(password !== undefined && { headers: { 'xc-password': password } }) };
}

/**
 * Sends a call by a link with the password as it is by then: one that is refused because it became another one waits for it and is sent
 * again.
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

/** The filters that a view keeps; none for visitors, who are told of none; undefined until they are read, and without a view. @public */
export function useViewFilters(view: ViewEntity | undefined): readonly FilterEntity[] | undefined {
  const visit = useVisitOf(view?.id ?? '');
  const { data } = useOfView<readonly FilterEntity[]>(view, 'filters', visit);
  return visit ? nothing : data;
}

/** The sorts that a view keeps; none for visitors, who are told of none; undefined until they are read, and without a view. @public */
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

/** The places of columns in a view, those that it does not show among them; undefined until they are read, and without a view. */
export function useViewPlaces(
  view: ViewEntity | undefined,
): Pick<ServerData<readonly ViewColumnEntity[]>, 'data' | 'error' | 'refetch'> {
  const visit = useVisitOf(view?.id ?? '');
  const asked = useOfView<readonly ViewColumnEntity[]>(view, 'columns', visit);
  return { data: visit?.columns ?? asked.data, error: asked.error, refetch: asked.refetch };
}

/** What shows a row by itself; undefined while nothing does. Visitors are shown it by the page of the link, since the panel of members reads what only they may. @public */
export function useRowPanel(): Pick<RowPanel, 'open'> | undefined {
  const host = useHost();
  const visited = useContext(VisitedViewContext);
  if (visited === undefined) return host.find(RowPanelToken);
  return visited.openRow && { open: visited.openRow };
}
