import { expect, test } from '@jest/globals';
import type { TaskEntity } from '@trellis/sdk/shared';
import { changeKinds, changeTitle } from '../shared/index.ts';
import { shownTasks } from './shown-tasks.ts';

/** A task of the app store that ended some minutes ago. */
function ended(
  kind: keyof typeof changeKinds,
  {
    plugin,
    state,
    ago,
  }: { readonly plugin: string; readonly state: TaskEntity['state']; readonly ago: number },
): TaskEntity {
  const title = changeTitle(kind, plugin);
  const at = new Date(Date.now() - ago * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  return {
    id: `${kind} ${plugin} ${state} ${ago}`,
    project_id: '',
    kind: changeKinds[kind],
    title,
    state,
    progress: { done: 0 },
    is_cancelling: false,
    is_cancellable: false,
    created_by: '',
    created_at: at,
    updated_at: at,
    finished_at: at,
    error: state === 'failed' ? 'Out of paper.' : null,
  };
}

const failed = ended('install', { plugin: 'Field Notes 0.2.0', state: 'failed', ago: 9 });

test('a failed update is shown for an hour', () => {
  expect(shownTasks([failed])).toEqual([failed]);
  expect(shownTasks([ended('install', { plugin: 'Field Notes 0.2.0', state: 'failed', ago: 61 })])).toEqual(
    [],
  );
});

test('a failed update is shown no more once the plugin was removed, or a version of it put into use', () => {
  const removed = ended('remove', { plugin: 'Field Notes', state: 'done', ago: 5 });
  const used = ended('use', { plugin: 'Field Notes 0.2.1', state: 'done', ago: 5 });
  expect(shownTasks([failed, removed])).toEqual([]);
  expect(shownTasks([used, failed])).toEqual([]);
});

test('a failed update is shown whatever became of it before, and of other plugins since', () => {
  const before = ended('install', { plugin: 'Field Notes 0.1.0', state: 'done', ago: 20 });
  const other = ended('remove', { plugin: 'Field', state: 'done', ago: 5 });
  const inVain = ended('remove', { plugin: 'Field Notes', state: 'failed', ago: 5 });
  expect(shownTasks([before, failed, other, inVain])).toEqual([failed, inVain]);
});
