import type { LiveChannel } from '@trellis/sdk/server';
import { hostObjectKinds, type LiveEvent } from '@trellis/sdk/shared';
import type { Generations } from '../../metadata/generations.ts';

const projects: LiveEvent = { kind: 'projects' };
const ofServer = (objectKind: string): LiveEvent => ({
  kind: 'objects',
  projectId: '',
  objectKind,
  requestId: '',
});

/** What pages are told when a number rises. */
const told: Readonly<Partial<Record<string, LiveEvent>>> = {
  projects,
  access: projects,
  accounts: ofServer(hostObjectKinds.accounts),
  'plugin-settings': ofServer(hostObjectKinds.pluginSettings),
};

/**
 * Tells browsers that projects, their names or their members changed, settings of a plugin, or what administrators see of the server,
 * whichever server did it.
 *
 * The event that projects changed names none and goes to everybody: somebody who has just lost a project could not be told by their rights.
 * So does that of settings.
 */
export function followGenerations(generations: Pick<Generations, 'onDidChange'>, live: LiveChannel): void {
  const waiting = new Set<LiveEvent>();
  generations.onDidChange(({ scope }) => {
    const event = told[scope];
    if (event === undefined || waiting.has(event)) return;
    // Making a project raises two generations; one event for both is enough.
    waiting.add(event);
    queueMicrotask(() => {
      waiting.delete(event);
      live.publish(event);
    });
  });
}
