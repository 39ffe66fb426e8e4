import { Contribution, useContributions, type ShellItem } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';

/** Everything that plugins put in one place of the shell, each contained. */
export function Slot({ name }: { readonly name: ShellItem['slot'] }) {
  const items = useSlotItems(name);
  const compact = name.startsWith('top-bar');
  return items.map(({ id, Component }) => (
    <Contribution
      key={id}
      registry="shellItems"
      id={id}
      compact={compact}
      fallback={compact ? undefined : <Skeleton height={96} />}
    >
      <Component />
    </Contribution>
  ));
}

/** The items of a slot that want to be drawn now. */
export function useSlotItems(name: ShellItem['slot']): readonly ShellItem[] {
  return useContributions('shellItems', ({ slot }) => slot === name);
}
