import type { ViewEntity } from '@trellis/sdk/shared';

/** Who may change a view's settings; the texts are English. */
export const viewModes = [
  {
    value: 'collaborative',
    icon: 'users',
    label: 'Collaborative',
    title: 'Everybody who may edit can change how it shows the table.',
    done: 'Switched to collaborative view',
  },
  {
    value: 'locked',
    icon: 'lock',
    label: 'Locked',
    title: 'Nobody can change how it shows the table until it is unlocked.',
    done: 'Switched to locked view',
  },
  {
    value: 'personal',
    icon: 'user',
    label: 'Personal',
    title: 'Only its owner sees it, and can change how it shows the table.',
    done: 'Switched to personal view',
  },
] as const;

export function modeOf({ lock_type }: ViewEntity) {
  return viewModes.find(({ value }) => value === lock_type);
}
