import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { TableEntity } from '../../shared/index.ts';
import { useHost, useSession, type SessionView } from '../host.tsx';
import { RowsClient } from './rows-client.ts';
import type { RowsOptions } from './rows-options.ts';
import { useVisitOf } from '../visited-view.ts';
import { nameOfPlace, type RowsPlace } from './rows-place.ts';
import { useOwnRules, useOwnSorts } from '../views/own-look.ts';
import { useColoringColumns } from '../views/row-colors.ts';
import { undoMemoryOfTab, UndoStack } from './undo-stack.ts';

/** A client with what it is for. */
interface Held {
  readonly identity: string;
  readonly client: RowsClient;
}

/** What each person who is signed in did to each table: whatever shows rows of a table notes its steps in the same stack. */
class UndoStacks {
  #userId = '';
  readonly #byTable = new Map<string, UndoStack>();

  of(userId: string, tableId: string): UndoStack {
    // Nobody holds what another person did.
    if (userId !== this.#userId) this.#byTable.clear();
    this.#userId = userId;
    const known = this.#byTable.get(tableId) ?? new UndoStack(undoMemoryOfTab(userId, tableId));
    this.#byTable.set(tableId, known);
    return known;
  }
}

/** They live as long as the page's session does. */
const stacksOfSessions = new WeakMap<SessionView, UndoStacks>();

function stacksOf(session: SessionView): UndoStacks {
  const known = stacksOfSessions.get(session) ?? new UndoStacks();
  stacksOfSessions.set(session, known);
  return known;
}

/**
 * The rows of a place, kept true as others write: the same client until another table or view is meant. Those of a view meet what this
 * person filters by for themselves, and stand in their order.
 *
 * @public
 */
export function useRows(of: RowsPlace, given: RowsOptions = {}): RowsClient {
  const place = usePlace(of);
  const options = useOwnOptions(of, given);
  const { api, live } = useHost();
  const session = useSession();
  const userId = session.user?.id ?? '';
  const tableId = place.table.id;
  const isShared = place.kind === 'sharedView';
  const linkedIds = isShared ? '' : linkedTables(place.table).join(' ');
  const identity = `${userId} ${nameOfPlace(place)}`;
  const make = (): Held => {
    const undo = stacksOf(session).of(userId, tableId);
    return { identity, client: new RowsClient(api, undo, place, options) };
  };
  const [held, setHeld] = useState(make);
  if (held.identity !== identity) setHeld(make);
  const { client } = held;
  const asked = JSON.stringify(options);
  useLayoutEffect(() => {
    if (held.identity === identity) client.update(place, JSON.parse(asked) as RowsOptions);
  }, [held, identity, client, place, asked]);
  useEffect(() => {
    // Guests have no live channel: whoever only has a link reads what is there when they look.
    const room = isShared ? undefined : live.subscribe({ tableId }, (event) => client.receive(event));
    // Cells may be made of rows of other tables, which this one links to.
    const others = linkedIds
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => live.subscribe({ tableId: id }, (event) => client.receiveOfOther(event)));
    const views = live.onEvent((event) => {
      if (event.kind === 'view') client.receive(event);
    });
    return () => {
      room?.dispose();
      for (const other of others) other.dispose();
      views.dispose();
      client.dispose();
    };
  }, [client, live, tableId, linkedIds, isShared]);
  useEffect(() => () => client.leave(), [client]);
  return client;
}

/** What is asked of the rows, and what this person alone asks of those of a view. */
function useOwnOptions(place: RowsPlace, options: RowsOptions): RowsOptions {
  const { project, table } = place;
  const of = { project, table, view: place.kind === 'view' ? place.view : undefined };
  const rules = [...useOwnRules(of), ...(options.rules ?? [])];
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

/** The tables that a table links to, and those that hold the links both ways. */
function linkedTables({ id, columns = [] }: TableEntity): readonly string[] {
  const ids = columns.flatMap(({ virtual, colOptions }) => {
    if (virtual !== true || typeof colOptions !== 'object' || colOptions === null) return [];
    const { fk_related_model_id: related, fk_mm_model_id: junction } = colOptions as Readonly<
      Record<string, unknown>
    >;
    return [related, junction].filter((one) => typeof one === 'string');
  });
  return [...new Set(ids)].filter((one) => one !== id).toSorted();
}
