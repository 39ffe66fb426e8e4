import { sizeText, useAttempt, useHost } from '@trellis/sdk/web';
import { ChoiceLines, Dialog, Form } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { MoveInput, StorageEntity } from '../shared/index.ts';
import { storageName } from './storage-name.ts';
import { storagePath, storageTag } from './use-storages.ts';

interface Way extends MoveInput {
  readonly source: StorageEntity;
  readonly target: StorageEntity;
}

/** Asks which files to move where, with their number and size, and says what will happen. */
export function MoveDialog(props: {
  readonly storage: StorageEntity;
  readonly others: readonly StorageEntity[];
  readonly onClose: () => void;
}) {
  const { storage, others, onClose } = props;
  const { t, api, invalidate } = useHost();
  const ways = others
    .flatMap((other): Way[] => [wayBetween(other, storage), wayBetween(storage, other)])
    .filter(({ source }) => source.files > 0);
  const [chosen, setChosen] = useState(0);
  const { isBusy, problem, attempt } = useAttempt();
  const way = ways[chosen];

  async function start({ from, to }: MoveInput): Promise<void> {
    const body = { from, to };
    const isStarted = await attempt(() =>
      api.request({ method: 'POST', path: `${storagePath}/moves`, body }),
    );
    invalidate([storageTag]);
    if (isStarted) onClose();
  }

  return (
    <Dialog title={t('Move files')} width={520} isBusy={isBusy} onClose={onClose}>
      <Form
        submitLabel={t('Move')}
        isBusy={isBusy}
        canSubmit={way !== undefined}
        problem={problem}
        onSubmit={() => way && void start(way)}
        onCancel={onClose}
      >
        <div className="tr-field">
          <span>{t('From where to where')}</span>
          <ChoiceLines
            label={t('From where to where')}
            value={String(chosen)}
            options={ways.map((one, at) => ({
              value: String(at),
              label: `${storageName(one.source, t)} → ${storageName(one.target, t)}`,
              note: [
                t('{{count}} files', { count: one.source.files, one: '{{count}} file' }),
                ...(one.source.bytes > 0 ? [sizeText(one.source.bytes)] : []),
              ].join(' · '),
            }))}
            onChange={(at) => setChosen(Number(at))}
          />
        </div>
        <ul className="storage-means">
          {way !== undefined && (
            <li>{t('New files go to {{storage}} from now on.', { storage: storageName(way.target, t) })}</li>
          )}
          <li>{t('Each file is copied and compared; only then is it removed where it was.')}</li>
          <li>{t('All files can be opened meanwhile, and it goes on after a restart of the server.')}</li>
          <li>{t('It can be stopped at any time, and moved back the same way.')}</li>
        </ul>
      </Form>
    </Dialog>
  );
}

function wayBetween(source: StorageEntity, target: StorageEntity): Way {
  return { source, target, from: source.id, to: target.id };
}
