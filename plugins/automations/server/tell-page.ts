import { BusToken, type ServerPluginContext } from '@trellis/sdk/server';
import { automationsObjectKind } from '../shared/index.ts';

export type TellPage = (projectId: string) => void;

/**
 * Tells open pages, on every server, that automations of a project or their runs changed: at most every half second per project.
 */
export function createTellPage(ctx: ServerPluginContext): TellPage {
  const bus = ctx.get(BusToken);
  const waiting = new Map<string, NodeJS.Timeout>();
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
      bus.publish('objects.changed', { projectId, objectKind: automationsObjectKind, requestId: '' });
    }, 500);
    timer.unref();
    waiting.set(projectId, timer);
  };
}
