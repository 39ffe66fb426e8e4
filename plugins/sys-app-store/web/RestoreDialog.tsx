import type { PluginEntity, PluginRemovalPlan } from '@trellis/sdk/shared';
import { messageOfError, useHost, useServerData } from '@trellis/sdk/web';
import { Dialog, ErrorNotice, FileDrop, Form, Skeleton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { ConsequenceLines } from './ConsequenceLines.tsx';
import { useNameOf } from './plugin-words.ts';
import { useOwnData } from './use-own-data.ts';

/** Puts the data of a plugin back that was saved when it was removed, after what it replaces was counted. */
export default function RestoreDialog({
  plugin,
  onClose,
}: {
  readonly plugin: PluginEntity;
  readonly onClose: () => void;
}) {
  const { api, t, toast, invalidate } = useHost();
  const name = useNameOf()(plugin);
  const path = `/api/v1/app-store/plugins/${encodeURIComponent(plugin.id)}`;
  const { data, error, refetch } = useServerData<PluginRemovalPlan>(
    { path: `${path}/removal` },
    { tags: ['plugins'] },
  );
  const [file, setFile] = useState<File>();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function restore(chosen: File): Promise<void> {
    setIsBusy(true);
    setProblem(undefined);
    try {
      const body = new FormData();
      body.append('archive', chosen, chosen.name);
      await api.request({ method: 'POST', path: `${path}/data`, body });
      toast({ severity: 'success', summary: t('The data of {{name}} is back', { name }) });
      onClose();
    } catch (failure) {
      setProblem(messageOfError(failure, t));
    } finally {
      setIsBusy(false);
      invalidate(['plugins']);
    }
  }

  return (
    <Dialog
      title={t('Put the data of {{name}} back?', { name })}
      width={560}
      isBusy={isBusy}
      onClose={onClose}
    >
      {error !== undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {data === undefined && error === undefined && <Skeleton height={160} />}
      {data !== undefined && (
        <Form
          submitLabel={t('Put back')}
          busyLabel={t('Putting back')}
          isBusy={isBusy}
          canSubmit={file !== undefined}
          problem={problem}
          onSubmit={() => file && void restore(file)}
          onCancel={onClose}
        >
          <FileDrop
            label={t('Saved data')}
            accept=".json,application/json"
            hint={
              file === undefined
                ? t('or drop the file here that was saved when the plugin was removed.')
                : t('Chosen: {{name}}', { name: file.name })
            }
            onChoose={setFile}
          />
          <div className="store-usage">
            <Replaced plan={data} />
          </div>
          <p className="tr-note">
            {t(
              'The file has to be of version {{version}}, which is in use. While it is put back the plugin is off, on all servers of this database; settings are not in it.',
              { version: plugin.version },
            )}
          </p>
        </Form>
      )}
    </Dialog>
  );
}

function Replaced({ plan }: { readonly plan: PluginRemovalPlan }) {
  const { t } = useHost();
  return <ConsequenceLines title={t('What it replaces:')} lines={useOwnData(plan)} />;
}
