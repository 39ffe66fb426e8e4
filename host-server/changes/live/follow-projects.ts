import type { LiveChannel } from '@trellis/sdk/server';
import type { Generations } from '../../metadata/generations.ts';

/**
 * Tells browsers that projects, their names or their members changed, whichever server did it.
 *
 * The event names nothing and goes to everybody: whoever has just lost a project could not be told of it by what they may see.
 */
export function followProjects(generations: Pick<Generations, 'onDidChange'>, live: LiveChannel): void {
  let isTold = false;
  generations.onDidChange(({ scope }) => {
    if (isTold || (scope !== 'projects' && scope !== 'access')) return;
    // What makes a project raises both numbers.
    isTold = true;
    queueMicrotask(() => {
      isTold = false;
      live.publish({ kind: 'projects' });
    });
  });
}
