import type { TableEntity, ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { useHost, type ApiRequest } from '@trellis/sdk/web';
import { numbersOfMove } from '@trellis/sdk/web/ui';
import type { ViewActions } from './use-view-actions.ts';
import { useTellRefusal } from './use-view-calls.ts';
import type { ViewLanding } from './view-sections.ts';

/** The actions for a table's groups, for people who may change views. Refusals are reported. */
export interface GroupActions {
  /** An unused name for a new group. */
  freeTitle(): string;
  /** Undefined if it was refused. */
  create(title: string): Promise<ViewGroup | undefined>;
  /** Resolves to whether it was done. */
  rename(group: ViewGroup, title: string): Promise<boolean>;
  /** Moves a group to the place of another one. */
  move(from: number, to: number): Promise<void>;
  /** Its views stay. */
  remove(group: ViewGroup): Promise<void>;
  /** Moves a view to a place in a section; resolves to whether the view has moved. */
  land(view: ViewEntity, landing: ViewLanding): Promise<boolean>;
}

export function useGroupActions(
  table: TableEntity,
  groups: readonly ViewGroup[],
  { patch }: Pick<ViewActions, 'patch'>,
): GroupActions {
  const { api, invalidate, t, toast } = useHost();
  const tell = useTellRefusal();
  const path = `/api/v1/db/meta/tables/${encodeURIComponent(table.id)}/view-groups`;
  const pathOf = ({ id }: ViewGroup) => `${path}/${encodeURIComponent(id)}`;

  async function ask<T>(request: ApiRequest): Promise<{ readonly answer: T } | undefined> {
    try {
      return { answer: await api.request<T>(request) };
    } catch (error) {
      tell(error, t('The group could not be changed'));
      return undefined;
    } finally {
      invalidate([`table:${table.id}`]);
    }
  }

  return {
    freeTitle() {
      const taken = new Set(groups.map(({ title }) => title.toLowerCase()));
      const base = t('Group');
      let title = base;
      for (let count = 2; taken.has(title.toLowerCase()); count += 1) title = `${base} ${count}`;
      return title;
    },
    create: async (title) => (await ask<ViewGroup>({ method: 'POST', path, body: { title } }))?.answer,
    rename: async (group, title) =>
      (await ask({ method: 'PATCH', path: pathOf(group), body: { title } })) !== undefined,
    async move(from, to) {
      const orders = groups.map(({ order }) => order);
      for (const [at, order] of numbersOfMove(orders, from, to)) {
        const group = groups[at];
        if (group !== undefined) await ask({ method: 'PATCH', path: pathOf(group), body: { order } });
      }
    },
    async remove(group) {
      const isDone = (await ask({ method: 'DELETE', path: pathOf(group) })) !== undefined;
      const { title } = group;
      if (isDone)
        toast({ severity: 'success', summary: t('Group {{title}} removed; its views stay', { title }) });
    },
    async land(view, { section: { group, views }, at }) {
      const others = views.filter((other) => other !== view);
      const stays = others.length < views.length;
      // The view's former index, or the end for a view from another section.
      const from = stays ? views.indexOf(view) : others.length;
      if (stays && at === from) return false;
      const rows = stays ? views : [...others, view];
      const orders = rows.map(({ order }, row) => (stays || row < from ? order : undefined));
      const numbers = new Map(numbersOfMove(orders, from, at));
      const own = numbers.get(from) ?? view.order;
      numbers.delete(from);
      const hasMoved = await patch(view, { order: own, ...(!stays && { group_id: group?.id ?? null }) });
      if (!hasMoved) return false;
      for (const [row, order] of numbers) {
        const other = rows[row];
        if (other !== undefined) await patch(other, { order });
      }
      return true;
    },
  };
}
