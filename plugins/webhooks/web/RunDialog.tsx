import { useAttempt, useHost } from '@trellis/sdk/web';
import { Dialog, Empty, ErrorNotice, Notice, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import type { HookEntity } from '../shared/index.ts';
import { operationLabels } from './HookList.tsx';
import { hookPath, hookTag, useHooks, type PickedRow } from './hook-requests.ts';

/** Sends one row by a webhook that the person picks. */
export default function RunDialog({
  picked,
  onClose,
}: {
  readonly picked: PickedRow;
  readonly onClose: () => void;
}) {
  const { table, rowKey } = picked;
  const { t, api, toast, invalidate } = useHost();
  const { data, error, refetch } = useHooks(table);
  const { isBusy, problem, attempt } = useAttempt();
  // Webhooks for deletions cannot be run by hand.
  const usable = data?.list.filter(({ active, operation }) => active && operation !== 'delete');

  function send(hook: HookEntity) {
    return attempt(async () => {
      await api.request({ method: 'POST', path: `${hookPath(hook)}/run`, body: { rows: [rowKey] } });
      invalidate([hookTag(hook)]);
      toast({
        severity: 'success',
        summary: t('{{webhook}} tells of the row', { webhook: hook.title }),
        detail: t('Its log says what became of it.'),
      });
      onClose();
    });
  }

  return (
    <Dialog title={t('Send the row to a webhook')} isBusy={isBusy} dismissable onClose={onClose}>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {error !== undefined && data === undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {error === undefined && data === undefined && <Skeleton height={48} count={2} />}
      {usable?.length === 0 && (
        <Empty
          icon="send"
          title={t('No webhook to send it to')}
          text={t('Webhooks of added and changed rows that are switched on stand here.')}
        />
      )}
      {usable !== undefined && usable.length > 0 && (
        <ul className="webhooks-list">
          {usable.map((hook) => (
            <li key={hook.id}>
              <span className="webhooks-name">
                <strong>{hook.title}</strong>
                <small>
                  {t(operationLabels[hook.operation])}
                  {hook.paused !== null && ` · ${t('Paused')}`}
                </small>
              </span>
              <WorkButton
                isBusy={isBusy}
                disabled={hook.paused !== null}
                aria-label={t('Send to {{webhook}}', { webhook: hook.title })}
                onClick={() => void send(hook)}
              >
                <i className="pi pi-send" aria-hidden="true" /> {t('Send')}
              </WorkButton>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
