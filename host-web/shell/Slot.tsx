import { Contribution, useContributions, type ShellItem } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';

interface SlotProps {
  readonly name: ShellItem['slot'];
  /** Draws only items that fold (true) or do not fold (false). Default: all. */
  readonly folds?: boolean;
}

/** All items that plugins put in a slot of the shell, each in its own boundary. */
export function Slot({ name, folds }: SlotProps) {
  const items = useSlotItems(name).filter((item) => folds === undefined || (item.folds ?? false) === folds);
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

/** The slot's items that should be drawn now. */
export function useSlotItems(name: ShellItem['slot']): readonly ShellItem[] {
  return useContributions('shellItems', ({ slot }) => slot === name);
}
