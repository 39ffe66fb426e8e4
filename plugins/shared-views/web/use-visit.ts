import type { ProjectEntity, TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import {
  ApiError,
  useHost,
  visitedCall,
  type ApiClient,
  type VisitedView,
  type VisitLook,
} from '@trellis/sdk/web';
import { useEffect, useMemo, useState } from 'react';
import type { LinkAllows } from '../shared/index.ts';
import { asksForPassword, LinkWatch } from './link-watch.ts';
import { useLooks } from './use-looks.ts';

/** The view as a link returns it. */
interface LinkMeta {
  readonly fk_model_id: string;
  readonly project_id: string;
  readonly meta: string;
  readonly columns: readonly ViewColumnEntity[];
  readonly model: TableEntity & { readonly views: readonly ViewEntity[] };
}

/** A view as a visitor has it. */
export interface OpenVisit {
  readonly project: ProjectEntity;
  readonly table: TableEntity;
  readonly view: ViewEntity;
  readonly visited: VisitedView;
  readonly allows: LinkAllows;
}

type VisitState =
  | { readonly kind: 'reading' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'locked'; readonly wasWrong: boolean; readonly error?: unknown }
  | { readonly kind: 'open' };

/** A new object for each attempt, so that the same password can be tried again. */
interface Attempt {
  readonly password: string | undefined;
}

/** The link's last answer. */
interface Told extends Attempt {
  readonly meta: LinkMeta;
  /** The answer's tag: the server sends the answer again only if it has changed. */
  readonly mark: string | undefined;
}

/**
 * A link's view: read at once, and again with a password if the link needs one. It is also read regularly, because visitors get no
 * events of its changes.
 */
export function useVisit(uuid: string): {
  readonly state: VisitState;
  /** The last known view: it stays while the link asks for another password. */
  readonly visit: OpenVisit | undefined;
  /** Tries again, with the password if one is given. */
  readonly attempt: (password?: string) => void;
  readonly isTrying: boolean;
} {
  const { api } = useHost();
  const [asked, setAsked] = useState<Attempt>({ password: undefined });
  const [answered, setAnswered] = useState<{ readonly to: Attempt; readonly state: VisitState }>();
  const [told, setTold] = useState<Told>();
  const [watch] = useState(
    () =>
      new LinkWatch(() =>
        setAnswered((before) => before && { ...before, state: { kind: 'locked', wasWrong: false } }),
      ),
  );
  useEffect(() => {
    const abort = new AbortController();
    readLink(api, { uuid, ...asked }, abort.signal).then(
      (read) => {
        if (abort.signal.aborted) return;
        setTold(read);
        setAnswered({ to: asked, state: { kind: 'open' } });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setAnswered({ to: asked, state: toProblem(asked, error) });
      },
    );
    return () => abort.abort();
  }, [api, uuid, asked]);
  const state: VisitState = answered?.state ?? { kind: 'reading' };
  const isOpen = state.kind === 'open';
  // Runs after the drawn components have the password.
  useEffect(() => {
    if (isOpen) watch.open();
  }, [watch, isOpen]);

  useLooks(isOpen, async (why: VisitLook, signal) => {
    try {
      const next = await readLink(api, { uuid, ...asked, mark: told?.mark }, signal);
      if (signal.aborted) return;
      setTold(next);
    } catch (error) {
      if (signal.aborted) return;
      if (asksForPassword(error)) return watch.bar();
      const status = error instanceof ApiError ? error.status : undefined;
      if (status === 404) return setAnswered({ to: asked, state: { kind: 'closed' } });
      // Any other failure says nothing about the view; the next check tries again.
      if (status !== 304) return;
    }
    watch.announce(why);
  });

  const visit = useMemo(() => told && toVisit(uuid, told, watch), [uuid, told, watch]);
  return {
    state: isOpen && visit === undefined ? { kind: 'closed' } : state,
    visit,
    isTrying: answered?.to !== asked,
    attempt: (password) => setAsked({ password }),
  };
}

interface AskedLink extends Attempt {
  readonly uuid: string;
  readonly mark?: string | undefined;
}

/** @throws ApiError with status 304 if the answer with this tag is unchanged */
async function readLink(
  api: ApiClient,
  { uuid, password, mark }: AskedLink,
  signal: AbortSignal,
): Promise<Told> {
  const { path, headers } = visitedCall({ uuid, password }, 'meta');
  const { data, headers: received } = await api.send<LinkMeta>({
    path,
    headers: { ...headers, ...(mark !== undefined && { 'if-none-match': mark }) },
    signal,
  });
  return { meta: data, mark: received.etag, password };
}

function toProblem({ password }: Attempt, error: unknown): VisitState {
  if (error instanceof ApiError && error.status === 404) return { kind: 'closed' };
  if (asksForPassword(error)) return { kind: 'locked', wasWrong: password !== undefined };
  return password === undefined ? { kind: 'failed', error } : { kind: 'locked', wasWrong: false, error };
}

function toVisit(uuid: string, { meta, password }: Told, watch: LinkWatch): OpenVisit | undefined {
  const [view] = meta.model.views;
  if (view === undefined) return undefined;
  return {
    // Visitors get no data of the project; views are drawn as for a member without any rights.
    project: {
      id: meta.project_id,
      title: '',
      prefix: null,
      description: null,
      meta: null,
      color: null,
      is_meta: false,
      deleted: false,
      order: null,
      created_at: view.created_at,
      updated_at: view.updated_at,
      permissions: [],
    },
    table: meta.model,
    view,
    visited: {
      uuid,
      viewId: view.id,
      columns: meta.columns,
      ...(password !== undefined && { password }),
      onLook: watch.onLook,
      onRefused: watch.onRefused,
    },
    allows: JSON.parse(meta.meta) as LinkAllows,
  };
}
