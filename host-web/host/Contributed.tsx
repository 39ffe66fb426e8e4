import type { WebRegistries } from '@trellis/sdk/web';
import type { ReactNode } from 'react';
import { useHostParts } from './host-parts-context.ts';

interface ContributedProps {
  readonly registry: keyof WebRegistries;
  readonly id: string;
  /** What is drawn, for the notice: "tab Comments". */
  readonly what: string;
  readonly compact?: boolean;
  readonly children: ReactNode;
}

/**
 * Draws an item of a registry in its owner's name: contained, and charged to the item's error budget, so that one which
 * fails again and again is taken out of service in this page.
 */
export function Contributed({ registry: registryId, id, what, compact, children }: ContributedProps) {
  const { Boundary, budget, registries } = useHostParts();
  const registry = registries.get(registryId);
  const owner = registry.ownerOf(id);
  return (
    <Boundary
      owner={owner ?? id}
      what={what}
      compact={compact}
      onError={(error) => {
        if (registry.ownerOf(id) !== undefined) budget.charge(registry.subject(id), error);
      }}
    >
      {children}
    </Boundary>
  );
}
