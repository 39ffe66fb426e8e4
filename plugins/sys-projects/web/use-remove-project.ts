import type { ProjectEntity } from '@trellis/sdk/shared';
import { messageOfError, useHost } from '@trellis/sdk/web';

/** Deletes a project after a confirmation; resolves to whether it was deleted. */
export function useRemoveProject(): (project: ProjectEntity) => Promise<boolean> {
  const { api, confirm, invalidate, t, toast } = useHost();
  return async (project) => {
    const path = `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}`;
    // Lists do not say whether a project uses an external database.
    const whole = await api.request<ProjectEntity>({ path }).catch(() => project);
    const agreed = await confirm({
      title: t('Delete project {{title}}?', { title: project.title }),
      message:
        (whole.bases?.some((base) => base.is_meta) ?? whole.is_meta !== false)
          ? t('Its tables disappear for everybody at once. It can be restored under My Projects for 30 days.')
          : t(
              'It disappears for everybody at once, with its views. The database itself stays as it is, and can be opened again; a SQLite file that was sent to this server goes with the project after 30 days.',
            ),
      confirmLabel: t('Delete'),
      danger: true,
      typeToConfirm: project.title,
    });
    if (!agreed) return false;
    try {
      await api.request({ method: 'DELETE', path });
      toast({ severity: 'success', summary: t('Project {{title}} deleted', { title: project.title }) });
      return true;
    } catch (failure) {
      toast({
        severity: 'error',
        summary: t('The project could not be deleted'),
        detail: messageOfError(failure, t),
      });
      return false;
    } finally {
      invalidate(['projects']);
    }
  };
}
