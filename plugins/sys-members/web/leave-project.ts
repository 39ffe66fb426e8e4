import { messageOfError, type HostActions, type MenuContext } from '@trellis/sdk/web';

/** Ends the person's own membership after a confirmation. */
export async function leaveProject({ project }: MenuContext, host: HostActions): Promise<void> {
  if (project === undefined) return;
  const { t } = host;
  const agreed = await host.confirm({
    title: t('Leave {{title}}?', { title: project.title }),
    message: t(
      'You will not see it any more, until somebody adds you again. What you made in it stays, and your personal views pass to an owner.',
    ),
    confirmLabel: t('Leave'),
    danger: true,
  });
  if (!agreed) return;
  const path = `/api/v1/plugins/sys-members/projects/${encodeURIComponent(project.id)}/leave`;
  try {
    await host.api.request({ method: 'POST', path });
    host.navigate('/projects');
  } catch (failure) {
    host.toast({
      severity: 'error',
      summary: t('You are still in the project'),
      detail: messageOfError(failure, t),
    });
  }
  host.invalidate(['projects']);
}
