import { BusToken, LiveChannelToken, type ServerPluginContext } from '@trellis/sdk/server';
import { automationsObjectKind } from '../shared/index.ts';

declare module '@trellis/sdk/server' {
  interface BusTopics {
    /** Automations of a project, or their runs, changed. */
    'automations.changed': { readonly projectId: string };
  }
}

export type TellPage = (projectId: string) => void;

/** Tells open pages, on every server, that automations of a project or their runs changed: at most once in half a second each. */
export function createTellPage(ctx: ServerPluginContext): TellPage {
  const bus = ctx.get(BusToken);
  const live = ctx.get(LiveChannelToken);
  const waiting = new Map<string, NodeJS.Timeout>();
  ctx.own(
    bus.subscribe('automations.changed', {
      message: ({ projectId }) =>
        live.publish({ kind: 'objects', projectId, objectKind: automationsObjectKind, requestId: '' }),
      // Whoever looks at the page meanwhile sees it with the next change.
      gap: () => undefined,
    }),
  );
  ctx.own({
    dispose: () => {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  });
  return (projectId) => {
    if (waiting.has(projectId) || ctx.signal.aborted) return;
    const timer = setTimeout(() => {
      waiting.delete(projectId);
      bus.publish('automations.changed', { projectId });
    }, 500);
    timer.unref();
    waiting.set(projectId, timer);
  };
}
