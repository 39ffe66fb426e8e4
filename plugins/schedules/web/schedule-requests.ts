import type { Page, ProjectEntity, ViewEntity } from '@trellis/sdk/shared';
import { useServerData, objectsTag } from '@trellis/sdk/web';
import {
  schedulesObjectKind,
  type ActionEntity,
  type RunEntity,
  type ScheduleEntity,
} from '../shared/index.ts';

type Named = Pick<ProjectEntity, 'id'>;

const projectPath = ({ id }: Named) => `/api/v1/plugins/schedules/projects/${encodeURIComponent(id)}`;
export const schedulesPath = (project: Named) => `${projectPath(project)}/schedules`;
export const schedulePath = (project: Named, { id }: Named) =>
  `${schedulesPath(project)}/${encodeURIComponent(id)}`;
export const runPath = (project: Named, { schedule_id, id }: Pick<RunEntity, 'schedule_id' | 'id'>) =>
  `${schedulePath(project, { id: schedule_id })}/runs/${encodeURIComponent(id)}`;

/** Also read again when the server reports a change. */
export const schedulesTag = ({ id }: Named) => objectsTag(schedulesObjectKind, id);

export function useSchedules(project: ProjectEntity) {
  return useServerData<{ readonly list: readonly ScheduleEntity[] }>(
    { path: schedulesPath(project) },
    { tags: [schedulesTag(project), 'plugins'] },
  );
}

export function useActions(project: ProjectEntity) {
  return useServerData<{ readonly list: readonly ActionEntity[] }>(
    { path: `${projectPath(project)}/actions` },
    { tags: ['plugins'] },
  );
}

export function useRuns(project: ProjectEntity, schedule: Named, limit: number, offset: number) {
  return useServerData<Page<RunEntity>>(
    { path: `${schedulePath(project, schedule)}/runs?limit=${limit}&offset=${offset}` },
    { tags: [schedulesTag(project)], keepsLast: true },
  );
}

export function useViews(tableId: string | null) {
  return useServerData<{ readonly list: readonly ViewEntity[] }>(
    tableId === null ? undefined : { path: `/api/v1/db/meta/tables/${encodeURIComponent(tableId)}/views` },
    { tags: tableId === null ? [] : [`table:${tableId}`] },
  );
}
