import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { Dialog, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { ConnectionForm } from './ConnectionForm.tsx';
import { basesPath, testPath, type DatabaseKind } from './database-requests.ts';
import { KindChoice } from './KindChoice.tsx';

/** A further database of a project. */
export function AddDatabaseDialog(props: {
  readonly project: ProjectEntity;
  readonly kinds: readonly DatabaseKind[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { api, t } = useHost();
  const { kinds } = props;
  const [type, setType] = useState(kinds[0]?.id ?? '');
  const [alias, setAlias] = useState('');
  const kind = kinds.find(({ id }) => id === type);
  if (kind === undefined) return null;
  return (
    <Dialog title={t('Add a database')} width={620} onClose={props.onClose}>
      <ConnectionForm
        key={type}
        kind={kind}
        submitLabel={t('Add')}
        busyLabel={t('Reading the tables …')}
        testOf={(settings) => ({ path: testPath, body: { type, settings } })}
        onSubmit={async (settings) => {
          const name = alias.trim();
          const body = { type, settings, ...(name !== '' && { alias: name }) };
          await api.request({ method: 'POST', path: basesPath(props.project.id), body });
          props.onDone();
          props.onClose();
        }}
        onCancel={props.onClose}
      >
        <TextField
          label={t('Name')}
          value={alias}
          maxLength={100}
          autoFocus
          hint={t('Its tables stand below this name in the list of tables.')}
          onChange={setAlias}
        />
        <KindChoice kinds={kinds} value={type} onChange={setType} />
      </ConnectionForm>
    </Dialog>
  );
}
