import type { TaskEntity } from '@trellis/sdk/shared';
import { changeKinds, readChangeTitle } from '../shared/index.ts';

const kinds: readonly string[] = Object.values(changeKinds);
/** Milliseconds for which a failure is listed. */
const rememberedMs = 60 * 60 * 1000;

/** Whether a task is one of the app store. */
export function isStoreTask({ kind }: Pick<TaskEntity, 'kind'>): boolean {
  return kinds.includes(kind);
}

/** The tasks of the app store that are under way, and those that failed lately where nothing came of the plugin since. */
export function shownTasks(all: readonly TaskEntity[]): readonly TaskEntity[] {
  const own = all.filter(isStoreTask);
  return own.filter((task) => {
    if (task.state === 'waiting' || task.state === 'running') return true;
    if (task.state !== 'failed' || Date.now() - endOf(task) >= rememberedMs) return false;
    return !own.some((of) => of.state === 'done' && isOfSame(of, task) && endOf(of) > endOf(task));
  });
}

function endOf({ finished_at: at }: TaskEntity): number {
  return Date.parse(`${(at ?? '').replace(' ', 'T')}Z`);
}

function isOfSame(one: TaskEntity, other: TaskEntity): boolean {
  return pluginOf(one) !== undefined && pluginOf(one) === pluginOf(other);
}

/** The name of the plugin, without the version that most titles end with. */
function pluginOf({ kind, title }: TaskEntity): string | undefined {
  const named = readChangeTitle(kind, title)?.plugin;
  return kind === changeKinds.remove ? named : named?.replace(/ \S+$/, '');
}
