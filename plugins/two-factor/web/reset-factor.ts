import { messageOfError, type HostActions, type MenuContext } from '@trellis/sdk/web';

/** After a confirmation, removes the second factor of a person who lost their phone. */
export async function resetFactor({ person }: MenuContext, host: HostActions): Promise<void> {
  if (person === undefined) return;
  const { t } = host;
  const { id, name } = person;
  const agreed = await host.confirm({
    title: t('Reset the two-factor sign-in of {{name}}?', { name }),
    message: t(
      'Their phone and their recovery codes count no more. Until they set it up again, the password alone lets them in, unless this server requires a second factor.',
    ),
    confirmLabel: t('Reset'),
    danger: true,
  });
  if (!agreed) return;
  const path = `/api/v1/two-factor/accounts/${encodeURIComponent(id)}`;
  try {
    const { wasSetUp } = await host.api.request<{ readonly wasSetUp: boolean }>({ method: 'DELETE', path });
    const summary = wasSetUp
      ? t('The two-factor sign-in of {{name}} is reset', { name })
      : t('{{name}} had not set it up', { name });
    host.toast({ severity: wasSetUp ? 'success' : 'info', summary });
  } catch (failure) {
    const detail = messageOfError(failure, t);
    host.toast({ severity: 'error', summary: t('It could not be reset'), detail });
  }
}
