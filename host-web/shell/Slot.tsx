import { useRegistry, useShell, type ShellItem } from '@trellis/sdk/web';
import { Suspense } from 'react';
import { Contributed } from '../host/Contributed.tsx';
import { useHostParts } from '../host/host-parts-context.ts';
import { isShown } from './is-shown.ts';

/** Everything that plugins put in one place of the shell, each contained. */
export function Slot({ name }: { readonly name: ShellItem['slot'] }) {
  const items = useSlotItems(name);
  const compact = name.startsWith('top-bar');
  return items.map(({ id, Component }) => (
    <Contributed key={id} registry="shellItems" id={id} what={id} compact={compact}>
      <Suspense fallback={<div className={compact ? undefined : 'tr-skeleton tr-skeleton--pane'} />}>
        <Component />
      </Suspense>
    </Contributed>
  ));
}

/** The items of a slot that want to be drawn now. */
export function useSlotItems(name: ShellItem['slot']): readonly ShellItem[] {
  const items = useRegistry('shellItems');
  const { context } = useShell();
  const { diagnostics, registries } = useHostParts();
  return items.filter(
    (item) => item.slot === name && isShown(item, context, registries.get('shellItems'), diagnostics),
  );
}
