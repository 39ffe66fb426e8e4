import type { ProjectEntity } from '@trellis/sdk/shared';
import { ApiError, useHost } from '@trellis/sdk/web';
import { useState } from 'react';

/** Creates a project and keeps what went wrong; nothing typed is lost. */
export function useCreateProject(onDone: (project: ProjectEntity) => void) {
  const host = useHost();
  const [problem, setProblem] = useState<string>();
  const [isCreating, setCreating] = useState(false);

  async function create(body: object): Promise<void> {
    setCreating(true);
    setProblem(undefined);
    try {
      const project = await host.api.request<ProjectEntity>({
        method: 'POST',
        path: '/api/v1/db/meta/projects',
        body,
      });
      host.invalidate(['projects']);
      onDone(project);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : host.t('Some internal error occurred'));
      setCreating(false);
    }
  }

  return { create, problem, isCreating };
}
