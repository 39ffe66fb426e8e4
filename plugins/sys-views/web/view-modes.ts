import type { ViewEntity } from '@trellis/sdk/shared';

/** Who may change how a view shows its table; the texts are English. */
export const viewModes = [
  {
    value: 'collaborative',
    icon: 'users',
    label: 'Shared',
    title: 'Everybody who may edit can change how it shows the table.',
    done: 'This view is shared now',
  },
  {
    value: 'locked',
    icon: 'lock',
    label: 'Locked',
    title: 'Nobody can change how it shows the table until it is unlocked.',
    done: 'This view is locked now',
  },
  {
    value: 'personal',
    icon: 'user',
    label: 'Personal',
    title: 'Only its owner can change how it shows the table.',
    done: 'This view is personal now',
  },
] as const;

export function modeOf({ lock_type }: ViewEntity) {
  return viewModes.find(({ value }) => value === lock_type);
}
