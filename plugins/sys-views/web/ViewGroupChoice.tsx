import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { SearchList } from '@trellis/sdk/web/ui';
import type { GroupActions } from './use-group-actions.ts';
import type { ViewActions } from './use-view-actions.ts';
import { ungrouped } from './view-sections.ts';

/** Puts a view into one of the table's groups, or into a new one. */
export function ViewGroupChoice(props: {
  readonly view: ViewEntity;
  readonly groups: readonly ViewGroup[];
  readonly actions: Pick<ViewActions, 'patch'>;
  readonly groupActions: Pick<GroupActions, 'create'>;
  readonly onDone: () => void;
}) {
  const { view, groups, actions, groupActions, onDone } = props;
  const t = useT();

  async function choose(groupId: string | null) {
    onDone();
    if (groupId !== (view.group_id ?? null)) await actions.patch(view, { group_id: groupId });
  }

  return (
    <SearchList
      label={t('Search or name a group')}
      listLabel={t('Groups')}
      value={view.group_id ?? ungrouped}
      options={[
        ...groups.map(({ id, title }) => ({ id, label: title, icon: 'folder' })),
        { id: ungrouped, label: t('Without a group'), icon: 'minus' },
      ]}
      emptyText={t('No group is called like that.')}
      adding={{
        label: (title) => t('New group: {{title}}', { title }),
        async onAdd(title) {
          const made = await groupActions.create(title);
          if (made !== undefined) await choose(made.id);
          return made?.id;
        },
      }}
      onChoose={(id) => void choose(id === ungrouped ? null : id)}
    />
  );
}
