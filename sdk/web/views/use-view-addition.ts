import { useMemo } from 'react';
import type { ViewEntity } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useOwnLook, type OwnLook } from './own-look.ts';
import { useDraft } from './use-draft.ts';

type Options = Readonly<Record<string, unknown>>;

/** What a view addition keeps with a view. @public */
export interface KeptAddition {
  /** What the view keeps, or what this person just made of it; undefined for nothing. */
  readonly shown: unknown;
  /** How saving goes: what was refused stays to be mended. */
  readonly draft: Pick<ReturnType<typeof useDraft>, 'problem' | 'insist' | 'discard'>;
  /** The look in which this person keeps what is theirs alone; undefined where the view keeps it. */
  readonly own: OwnLook | undefined;
  /** Keeps it with the view, or for this person alone where the view is not theirs to arrange. */
  change(this: void, next: Options): void;
  /** Shows it as the view has it. */
  reset(this: void): void;
}

const additionsOf = ({ meta }: Pick<ViewEntity, 'meta'>) => (meta?.additions ?? {}) as Options;
const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/** What a view addition keeps with a view, and the way to change it; drawn anew for each view (`key`), as `useDraft` asks for. @public */
export function useViewAddition(id: string, { project, view }: ViewProps): KeptAddition {
  const saved = useMemo(() => ({ kept: additionsOf(view)[id] }), [view, id]);
  const own = useOwnLook('additions', { project, view });
  const draft = useDraft<{ readonly kept: unknown }, ViewEntity>({
    saved,
    isSame,
    // Only this part is told of: what else the view keeps stays as it is.
    request: ({ kept }, { kept: before }) => ({
      method: 'PATCH',
      path: `/api/v1/db/meta/views/${encodeURIComponent(view.id)}`,
      body: {
        meta: { additions: { [id]: kept } },
        meta_before: before === undefined ? {} : { additions: { [id]: before } },
      },
    }),
    read: (answer) => ({ kept: additionsOf(answer)[id] }),
    theirs: ({ code, params }) =>
      code === 'OPTIONS_CHANGED' ? { kept: additionsOf({ meta: params.meta as Options })[id] } : undefined,
    merge: (value) => value,
    tags: [`view:${view.id}`, `table:${view.fk_model_id}`],
  });
  const isOwn = own !== undefined && id in own.additions;
  return {
    shown: isOwn ? own.additions[id] : draft.shown.kept,
    draft,
    own,
    change(next) {
      if (own !== undefined) return own.change({ additions: { ...own.additions, [id]: next } });
      draft.change({ kept: next });
      void draft.save({ kept: next });
    },
    reset() {
      if (own === undefined) return;
      const others = Object.entries(own.additions).filter(([name]) => name !== id);
      own.change({ additions: Object.fromEntries(others) });
    },
  };
}
