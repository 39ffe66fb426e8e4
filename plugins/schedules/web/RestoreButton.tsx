import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost, useSession } from '@trellis/sdk/web';
import { Dialog, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { RestoreEntity, RunEntity } from '../shared/index.ts';
import { RestoreForm } from './RestoreForm.tsx';
import { runPath } from './schedule-requests.ts';

/** Creates a new project from the backup of a run. */
export function RestoreButton({
  project,
  run,
}: {
  readonly project: ProjectEntity;
  readonly run: RunEntity;
}) {
  const { api, t, navigate } = useHost();
  const { user } = useSession();
  const { isBusy, problem, attempt } = useAttempt();
  const [ready, setReady] = useState<RestoreEntity>();
  if (user?.permissions?.includes('projectCreate') !== true) return null;
  const begin = () =>
    attempt(async () =>
      setReady(
        await api.request<RestoreEntity>({ method: 'POST', path: `${runPath(project, run)}/restore` }),
      ),
    );
  return (
    <>
      <WorkButton className="tr-action" isBusy={isBusy} onClick={() => void begin()}>
        <i className="pi pi-replay" aria-hidden="true" /> {t('Restore')}
      </WorkButton>
      {problem !== undefined && <small className="schedules-paused">{problem}</small>}
      {ready !== undefined && (
        <Dialog title={t('Restore a backup')} keepsInput onClose={() => setReady(undefined)}>
          <RestoreForm
            ready={ready}
            onDone={({ id }) => {
              setReady(undefined);
              navigate(`/nc/${id}`);
            }}
            onCancel={() => setReady(undefined)}
          />
        </Dialog>
      )}
    </>
  );
}
