import { Contribution, useContributions, type ShellItem } from '@trellis/sdk/web';
import { Skeleton } from '@trellis/sdk/web/ui';

interface SlotProps {
  readonly name: ShellItem['slot'];
  /** Draws those alone that fold, or those alone that do not. Default: all. */
  readonly folds?: boolean;
}

/** Everything that plugins put in one place of the shell, each contained. */
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

/** The items of a slot that want to be drawn now. */
export function useSlotItems(name: ShellItem['slot']): readonly ShellItem[] {
  return useContributions('shellItems', ({ slot }) => slot === name);
}
