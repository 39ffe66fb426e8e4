import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useHost, useSession, type SessionView } from '../host.tsx';
import { RowsClient } from './rows-client.ts';
import type { ColumnEntity } from '../../shared/index.ts';
import type { RowsOptions } from './rows-options.ts';
import { useViewFilters, useViewSorts, useVisitOf } from '../visited-view.ts';
import { linkedTables } from './linked-tables.ts';
import { nameOfPlace, type RowsPlace } from './rows-place.ts';
import { useOwnRules, useOwnSorts } from '../views/own-look.ts';
import { useColoringColumns } from '../views/row-colors.ts';
import { useSearchRules } from '../views/row-search.ts';
import { useShownColumns } from '../views/use-shown-columns.ts';
import { useRowsInSight } from './rows-in-sight.ts';
import { useArrangement } from './use-arrangement.ts';
import { undoMemoryOfTab, UndoStack } from './undo-stack.ts';
import { VisitedApi } from './visited-api.ts';

/** A client with its place. */
interface Held {
  readonly identity: string;
  readonly client: RowsClient;
  /** The API through which a visitor's rows are read. */
  readonly visited: VisitedApi;
}

/** The steps of each signed-in person in each table: all components that show rows of a table share a stack. */
class UndoStacks {
  #userId = '';
  readonly #byTable = new Map<string, UndoStack>();

  of(userId: string, tableId: string): UndoStack {
    // The steps of another person are dropped.
    if (userId !== this.#userId) this.#byTable.clear();
    this.#userId = userId;
    const known = this.#byTable.get(tableId) ?? new UndoStack(undoMemoryOfTab(userId, tableId));
    this.#byTable.set(tableId, known);
    return known;
  }
}

/** They live as long as the page's session. */
const stacksOfSessions = new WeakMap<SessionView, UndoStacks>();

function stacksOf(session: SessionView): UndoStacks {
  const known = stacksOfSessions.get(session) ?? new UndoStacks();
  stacksOfSessions.set(session, known);
  return known;
}

/** A component's options for reading rows. @public */
export interface ShownRowsOptions extends RowsOptions {
  /** True for rows that are not the subject of the page's commands, such as undo. */
  readonly isAside?: boolean;
  /** True for components that only add rows to a view: its arrangement is not loaded, and the search is ignored. */
  readonly onlyAdds?: boolean;
}

/**
 * The rows of a place, kept up to date as others write: the same client until another table or view is given. Those of a view
 * follow the person's filters, search and sorts; they are reloaded when the view is arranged differently, and undo and redo of the
 * page apply to them.
 *
 * @public
 */
export function useRows(
  of: RowsPlace,
  { isAside = false, onlyAdds = false, ...given }: ShownRowsOptions = {},
): RowsClient {
  const place = usePlace(of);
  const view = of.kind === 'view' && !onlyAdds ? of.view : undefined;
  const shown = useShownColumns(of.table, view);
  const options = useOwnOptions({ project: of.project, table: of.table, view }, given, shown);
  const { api, live } = useHost();
  const session = useSession();
  const userId = session.user?.id ?? '';
  const tableId = place.table.id;
  const isShared = place.kind === 'sharedView';
  const linkedIds = isShared ? '' : linkedTables(place.table).join(' ');
  const identity = `${userId} ${nameOfPlace(place)}`;
  const visit = useVisitOf(of.kind === 'view' ? of.view.id : '');
  const make = (): Held => {
    const undo = stacksOf(session).of(userId, tableId);
    const visited = new VisitedApi(api, visit ?? {});
    return { identity, visited, client: new RowsClient(isShared ? visited : api, undo, place, options) };
  };
  const [held, setHeld] = useState(make);
  if (held.identity !== identity) setHeld(make);
  const { client, visited } = held;
  useLayoutEffect(() => visited.update(visit ?? {}), [visited, visit]);
  const asked = JSON.stringify(options);
  useLayoutEffect(() => {
    if (held.identity === identity) client.update(place, JSON.parse(asked) as RowsOptions);
  }, [held, identity, client, place, asked]);
  const isArranged = useArrangement(client, {
    sorts: useViewSorts(view),
    filters: useViewFilters(view),
    shown,
  });
  // Visitors do not learn filters and sorts.
  const hearsOfView = useRef(true);
  useLayoutEffect(() => {
    hearsOfView.current = isShared || !isArranged;
  });
  useEffect(() => {
    // Guests have no live channel: the page of a link decides when to reload.
    const room = isShared
      ? undefined
      : live.subscribe({ tableId }, (event) => {
          // Events of views are handled below.
          if (event.kind !== 'view') client.receive(event);
        });
    // Cells may be computed from rows of linked tables.
    const others = linkedIds
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => live.subscribe({ tableId: id }, (event) => client.receiveOfOther(event)));
    const views = live.onEvent((event) => {
      if (event.kind === 'view' && hearsOfView.current) client.receive(event);
    });
    return () => {
      room?.dispose();
      for (const other of others) other.dispose();
      views.dispose();
    };
  }, [client, live, tableId, linkedIds, isShared]);
  const onLook = visit?.onLook;
  useEffect(
    () =>
      onLook?.((look) => {
        // A returning visitor sees the current state.
        if (look === 'return') visited.forget();
        client.receive({ kind: 'resync' });
      }),
    [client, visited, onLook],
  );
  // Separate: running requests stay valid when the table gets a link to another one.
  useEffect(
    () => () => {
      client.dispose();
      client.leave();
    },
    [client],
  );
  useRowsInSight(view === undefined || isAside ? undefined : client);
  return client;
}

/** The requested options, with the person's own rules and sorts for a view. */
function useOwnOptions(
  of: Parameters<typeof useOwnRules>[0],
  options: RowsOptions,
  shown: readonly ColumnEntity[] | undefined,
): RowsOptions {
  const rules = [...useOwnRules(of), ...(options.rules ?? []), ...useSearchRules(shown)];
  const ownSorts = useOwnSorts(of);
  const { sorts = ownSorts } = options;
  const coloring = useColoringColumns(of);
  const also = options.also === undefined ? coloring : [...options.also, ...coloring];
  return {
    ...options,
    ...(rules.length > 0 && { rules }),
    ...(sorts.length > 0 && { sorts }),
    ...(also.length > 0 && { also }),
  };
}

/** A view that is drawn for a visitor is read by its link. */
function usePlace(place: RowsPlace): RowsPlace {
  const visit = useVisitOf(place.kind === 'view' ? place.view.id : '');
  return useMemo(() => {
    if (visit === undefined || place.kind !== 'view') return place;
    const { uuid, password, query } = visit;
    return { ...place, kind: 'sharedView', uuid, password, query };
  }, [place, visit]);
}
