import type { ProjectEntity, TableEntity, ViewColumnEntity, ViewEntity } from '@trellis/sdk/shared';
import { ApiError, useHost, type VisitedView } from '@trellis/sdk/web';
import { useEffect, useState } from 'react';
import type { LinkAllows } from '../shared/index.ts';

/** What a link tells of its view. */
interface LinkMeta {
  readonly fk_model_id: string;
  readonly project_id: string;
  readonly meta: string;
  readonly columns: readonly ViewColumnEntity[];
  readonly model: TableEntity & { readonly views: readonly ViewEntity[] };
}

/** A view as a visitor has it. */
export interface OpenVisit {
  readonly kind: 'open';
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
  | OpenVisit;

interface Attempt {
  readonly uuid: string;
  readonly password: string | undefined;
  /** Counts attempts, so that the same password can be tried again. */
  readonly number: number;
}

/** The view of a link: read at once, and again with a password where the link asks for one. */
export function useVisit(uuid: string): {
  readonly state: VisitState;
  /** Tries again, with a password where one is given. */
  readonly attempt: (password?: string) => void;
  readonly isTrying: boolean;
} {
  const { api } = useHost();
  const [asked, setAsked] = useState<Attempt>({ uuid, password: undefined, number: 0 });
  const [answered, setAnswered] = useState<{ readonly of: Attempt; readonly state: VisitState }>();
  if (asked.uuid !== uuid) setAsked({ uuid, password: undefined, number: 0 });
  useEffect(() => {
    const abort = new AbortController();
    const { password } = asked;
    const headers = password === undefined ? undefined : { 'xc-password': password };
    const path = `/api/v1/db/public/shared-view/${encodeURIComponent(asked.uuid)}/meta`;
    api.request<LinkMeta>({ path, headers, signal: abort.signal }).then(
      (meta) => {
        if (!abort.signal.aborted) setAnswered({ of: asked, state: toVisit(asked, meta) });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setAnswered({ of: asked, state: toProblem(asked, error) });
      },
    );
    return () => abort.abort();
  }, [api, asked]);
  const isTrying = answered?.of !== asked;
  const state = answered?.of.uuid === uuid ? answered.state : { kind: 'reading' as const };
  return {
    state,
    isTrying,
    attempt: (password) => setAsked(({ number }) => ({ uuid, password, number: number + 1 })),
  };
}

function toProblem({ password }: Attempt, error: unknown): VisitState {
  const { status, code } = error instanceof ApiError ? error : { status: undefined, code: undefined };
  if (status === 404) return { kind: 'closed' };
  if (code === 'INVALID_SHARED_VIEW_PASSWORD') return { kind: 'locked', wasWrong: password !== undefined };
  return password === undefined ? { kind: 'failed', error } : { kind: 'locked', wasWrong: false, error };
}

function toVisit({ uuid, password }: Attempt, meta: LinkMeta): VisitState {
  const [view] = meta.model.views;
  if (view === undefined) return { kind: 'closed' };
  return {
    kind: 'open',
    // Nobody who comes by a link is told of the project; views are drawn as for a member without any right.
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
    },
    allows: JSON.parse(meta.meta) as LinkAllows,
  };
}
