import type { FilterEntity, ViewEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { useRef, useState } from 'react';
import { itemPath, useViewCalls, viewPath } from './use-view-calls.ts';

/** What the panel needs of a filter; a new one that is not on the server yet has it too. */
export type FilterItem = Pick<
  FilterEntity,
  'id' | 'fk_column_id' | 'fk_parent_id' | 'logical_op' | 'comparison_op' | 'value' | 'is_group'
>;

/** A filter with the person's edits over it, and the server's filter under them. */
export interface ShownFilter extends FilterItem {
  readonly from?: FilterItem;
}

/** A new condition, or a new group with its first conditions. */
export interface NewFilter extends Partial<Omit<FilterItem, 'id'>> {
  readonly children?: readonly NewFilter[];
}

export type FilterPatch = Partial<
  Pick<FilterItem, 'fk_column_id' | 'logical_op' | 'comparison_op' | 'value'>
>;

interface Change {
  readonly patch: FilterPatch;
  /** The server's filter that was changed: once it answers with another one, that one is shown. */
  readonly over: FilterItem;
}

interface Edits {
  readonly added: readonly FilterItem[];
  readonly changed: ReadonlyMap<string, Change>;
  readonly removed: ReadonlySet<string>;
}

const none: Edits = { added: [], changed: new Map(), removed: new Set() };
const autoApplyKey = 'filters.auto-apply';

/** The filters as the person has just put them: sent at once, or kept until "Apply". */
export interface FilterEdits {
  readonly autoApply: boolean;
  /** Whether something waits for "Apply". */
  readonly isPending: boolean;
  setAutoApply(on: boolean): Promise<void>;
  /** The server's filters of one level with the person's edits over them. */
  shown(server: readonly FilterEntity[], parentId: string | undefined): readonly ShownFilter[];
  isNew(filter: FilterItem): boolean;
  add(filter: NewFilter): Promise<void>;
  change(filter: ShownFilter, patch: FilterPatch): Promise<void>;
  remove(filter: FilterItem): Promise<void>;
  apply(): Promise<void>;
  discard(): void;
}

export function useFilterEdits(view: ViewEntity): FilterEdits {
  const { userStorage } = useHost();
  const { send } = useViewCalls(view);
  const [edits, setEdits] = useState(none);
  const [autoApply, setAuto] = useState(() => userStorage.get<boolean>(autoApplyKey) ?? true);
  const lastNew = useRef(0);
  const isNew = (filter: FilterItem) => edits.added.some((each) => each.id === filter.id);

  function keepNew({ children = [], ...filter }: NewFilter): readonly FilterItem[] {
    lastNew.current += 1;
    const item: FilterItem = {
      id: `new-${lastNew.current}`,
      fk_column_id: null,
      fk_parent_id: null,
      logical_op: 'and',
      comparison_op: null,
      value: null,
      is_group: null,
      ...filter,
    };
    return [item, ...children.flatMap((child) => keepNew({ ...child, fk_parent_id: item.id }))];
  }

  function create(body: NewFilter) {
    return send<FilterEntity>({ method: 'POST', path: viewPath(view, '/filters'), body });
  }

  function sendChange(id: string, patch: FilterPatch) {
    return send({ method: 'PATCH', path: itemPath('filters', id), body: patch }, () =>
      setEdits((now) => ({ ...now, changed: without(now.changed, id) })),
    );
  }

  function sendRemoval(id: string) {
    return send({ method: 'DELETE', path: itemPath('filters', id) }, () =>
      setEdits((now) => ({ ...now, removed: new Set([...now.removed].filter((each) => each !== id)) })),
    );
  }

  async function apply() {
    const { added, changed, removed } = edits;
    const madeAs = new Map<string, string>();
    for (const { id, fk_parent_id: parent, ...filter } of added) {
      const parentId = parent === null ? undefined : (madeAs.get(parent) ?? parent);
      const made = await create({ ...filter, ...(parentId !== undefined && { fk_parent_id: parentId }) });
      // What was refused stays to be mended, with what comes after it.
      if (made === undefined) return;
      madeAs.set(id, made.id);
      setEdits((now) => ({
        ...now,
        added: withParents(
          now.added.filter((each) => each.id !== id),
          madeAs,
        ),
      }));
    }
    for (const [id, { patch }] of changed) if (!removed.has(id)) await sendChange(id, patch);
    for (const id of removed) await sendRemoval(id);
    setEdits(none);
  }

  return {
    autoApply,
    isPending: !autoApply && (edits.added.length > 0 || edits.changed.size > 0 || edits.removed.size > 0),
    isNew,
    apply,
    discard: () => setEdits(none),
    shown: (server, parentId) => [
      ...server
        .filter((filter) => !edits.removed.has(filter.id))
        .map((filter) => {
          const change = edits.changed.get(filter.id);
          return change && (!autoApply || change.over === filter)
            ? { ...filter, ...change.patch, from: filter }
            : filter;
        }),
      ...edits.added.filter((filter) => filter.fk_parent_id === (parentId ?? null)),
    ],
    async setAutoApply(on) {
      setAuto(on);
      userStorage.set(autoApplyKey, on);
      if (on) await apply();
      else setEdits(none);
    },
    async add(filter) {
      if (autoApply) await create(filter);
      else setEdits((now) => ({ ...now, added: [...now.added, ...keepNew(filter)] }));
    },
    async change(filter, patch) {
      if (isNew(filter)) {
        const added = edits.added.map((each) => (each.id === filter.id ? { ...each, ...patch } : each));
        return setEdits((now) => ({ ...now, added }));
      }
      setEdits((now) => {
        const earlier = now.changed.get(filter.id)?.patch;
        const change: Change = { patch: { ...earlier, ...patch }, over: filter.from ?? filter };
        return { ...now, changed: new Map(now.changed).set(filter.id, change) };
      });
      if (autoApply) await sendChange(filter.id, patch);
    },
    async remove(filter) {
      if (isNew(filter)) {
        const added = edits.added.filter((each) => each.id !== filter.id && each.fk_parent_id !== filter.id);
        return setEdits((now) => ({ ...now, added }));
      }
      setEdits((now) => ({ ...now, removed: new Set(now.removed).add(filter.id) }));
      if (autoApply) await sendRemoval(filter.id);
    },
  };
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([each]) => each !== key));
}

function withParents(
  filters: readonly FilterItem[],
  madeAs: ReadonlyMap<string, string>,
): readonly FilterItem[] {
  return filters.map((filter) => ({
    ...filter,
    fk_parent_id: filter.fk_parent_id && (madeAs.get(filter.fk_parent_id) ?? filter.fk_parent_id),
  }));
}
