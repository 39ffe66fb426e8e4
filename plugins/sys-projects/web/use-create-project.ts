import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost } from '@trellis/sdk/web';

/** Creates a project and keeps the error; what was typed stays. */
export function useCreateProject(onDone: (project: ProjectEntity) => void) {
  const host = useHost();
  const { isBusy, problem, attempt } = useAttempt();
  const create = (body: object) =>
    attempt(async () => {
      const project = await host.api.request<ProjectEntity>({
        method: 'POST',
        path: '/api/v1/db/meta/projects',
        body,
      });
      host.invalidate(['projects']);
      onDone(project);
    });
  return { create, problem, isCreating: isBusy };
}
