import type { PluginEntity, TaskEntity } from '@trellis/sdk/shared';
import { messageOfError, sizeText, useHost } from '@trellis/sdk/web';
import { ErrorNotice, Notice, pageLanguage, Progress, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { StorageAnswer, StorageEntity } from '../shared/index.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { storagePath, storageTag, useStorages } from './use-storages.ts';

/** On the card of a plugin that stores files: their number, whether new ones are stored there, and how to change both. */
export default function StoragePanel({ plugin }: { readonly plugin: PluginEntity }) {
  const { data, error, refetch } = useStorages();
  if (error !== undefined) return <ErrorNotice message={error.message} onRetry={refetch} />;
  if (data === undefined) return <Skeleton height={40} />;
  const own = data.list.filter(({ plugin_id: id }) => id === plugin.id);
  return own.map((storage) => <StorageState key={storage.id} storage={storage} answer={data} />);
}

function StorageState({
  storage,
  answer,
}: {
  readonly storage: StorageEntity;
  readonly answer: StorageAnswer;
}) {
  const { t, api, toast, invalidate } = useHost();
  const [isMoving, setMoving] = useState(false);
  const { move } = answer;
  const isUnderWay = move?.finished_at === null;
  const others = answer.list.filter(({ id, is_ready: isReady }) => id !== storage.id && isReady);
  const canMove =
    storage.is_ready && others.some((other) => other.files > 0 || storage.files > 0) && !isUnderWay;

  async function call(request: {
    readonly method: 'PUT' | 'POST';
    readonly path: string;
    readonly body?: object;
  }) {
    try {
      await api.request(request);
    } catch (problem) {
      toast({ severity: 'error', summary: t('That did not work'), detail: messageOfError(problem, t) });
    }
    invalidate([storageTag]);
  }

  return (
    <section className="storage" aria-label={t('Files in {{storage}}', { storage: storage.label })}>
      <p className="storage-facts">
        <i className="pi pi-database" aria-hidden="true" />
        <span>
          {t('{{count}} files', { count: storage.files, one: '{{count}} file' })}
          {storage.bytes > 0 && ` · ${sizeText(storage.bytes)}`}
        </span>
        {storage.is_default && <span className="storage-badge">{t('New files go here')}</span>}
      </p>
      {!storage.is_ready && <p className="tr-note">{t('Fill in the settings to keep files here.')}</p>}
      {isUnderWay && (
        <MoveProgress
          move={move}
          onCancel={() => call({ method: 'POST', path: `${storagePath}/moves/cancel` })}
        />
      )}
      {move?.state === 'failed' && (
        <Notice severity="error">
          {t(
            'The move stopped: {{reason}} Files that were moved are fine where they are. Move the rest once that is mended.',
            {
              reason: move.error ?? '',
            },
          )}
        </Notice>
      )}
      {storage.is_ready && (
        <div className="storage-actions">
          {!storage.is_default && (
            <button
              type="button"
              className="tr-button"
              onClick={() =>
                void call({ method: 'PUT', path: `${storagePath}/default`, body: { place: storage.id } })
              }
            >
              {t('Keep new files here')}
            </button>
          )}
          {canMove && (
            <button type="button" className="tr-button" onClick={() => setMoving(true)}>
              <i className="pi pi-arrow-right-arrow-left" aria-hidden="true" />
              {t('Move files')}
            </button>
          )}
        </div>
      )}
      {isMoving && <MoveDialog storage={storage} others={others} onClose={() => setMoving(false)} />}
    </section>
  );
}

function MoveProgress({
  move,
  onCancel,
}: {
  readonly move: TaskEntity;
  readonly onCancel: () => Promise<void>;
}) {
  const { t } = useHost();
  const { done, total = 0 } = move.progress;
  const text = t('{{done}} of {{total}}', {
    done: done.toLocaleString(pageLanguage()),
    total: total.toLocaleString(pageLanguage()),
  });
  return (
    <div className="storage-move">
      <Progress
        label={t('Files are being moved')}
        value={total > 0 ? Math.round((done / total) * 100) : undefined}
        text={text}
      />
      <span className="tr-note" role="status">
        {t('Files are being moved')} · {move.is_cancelling ? t('Cancelling') : text}
      </span>
      <button
        type="button"
        className="tr-link"
        aria-disabled={move.is_cancelling}
        onClick={() => void onCancel()}
      >
        {t('Stop moving')}
      </button>
    </div>
  );
}
