import { useMemo } from 'react';
import type { ViewEntity } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useOwnLook, type OwnLook } from './own-look.ts';
import { useDraft } from './use-draft.ts';

type Options = Readonly<Record<string, unknown>>;

/** The state of a view addition's options. @public */
export interface KeptAddition {
  /** The view's options, or this person's latest change; undefined for none. */
  readonly shown: unknown;
  /** The state of saving: a refused value stays for correction. */
  readonly draft: Pick<ReturnType<typeof useDraft>, 'problem' | 'insist' | 'discard'>;
  /** The person's own settings that store the change; undefined if the view stores it. */
  readonly own: OwnLook | undefined;
  /** Saves it in the view, or for this person only if they may not arrange the view. */
  change(this: void, next: Options): void;
  /** Resets it to the view's own. */
  reset(this: void): void;
}

const additionsOf = ({ meta }: Pick<ViewEntity, 'meta'>) => (meta?.additions ?? {}) as Options;
const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/**
 * A view addition's options in a view, and how to change them; must be remounted for each view (`key`), like `useDraft`. @public
 */
export function useViewAddition(id: string, { project, view }: ViewProps): KeptAddition {
  const saved = useMemo(() => ({ kept: additionsOf(view)[id] }), [view, id]);
  const own = useOwnLook('additions', { project, view });
  const draft = useDraft<{ readonly kept: unknown }, ViewEntity>({
    saved,
    isSame,
    // Only this part is sent: the view's other options stay unchanged.
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
