import { useEffect, useState } from 'react';
import { createPartsHook } from '../base/parts-context.ts';
import type { Diagnostics } from '../contain/diagnostics.ts';
import type { PluginSync } from '../plugins/plugin-sync.ts';
import type { ShellController } from '../shell/shell-controller.ts';
import type { LocalMirror } from '../store/local-mirror.ts';

/** The parts that the host's own pages and settings use. */
export interface PageParts {
  readonly diagnostics: Diagnostics;
  readonly mirror: LocalMirror;
  readonly shell: ShellController;
  readonly sync: PluginSync;
}

export const usePageParts = createPartsHook<PageParts>();

/** Whether plugins are still loading, so that a missing item may still appear. */
export function useIsStarting(): boolean {
  const { sync } = usePageParts();
  const [isStarting, setStarting] = useState(sync.isStarting);
  useEffect(() => {
    let isGone = false;
    void sync.started.then(() => isGone || setStarting(false));
    return () => {
      isGone = true;
    };
  }, [sync]);
  return isStarting;
}
