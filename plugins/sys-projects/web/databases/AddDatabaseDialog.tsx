import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { Dialog, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { ConnectionForm } from './ConnectionForm.tsx';
import { basesPath, testPath, type DatabaseKind } from './database-requests.ts';

/** Adds a database to a project. */
export function AddDatabaseDialog(props: {
  readonly project: ProjectEntity;
  readonly kinds: readonly DatabaseKind[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { api, t } = useHost();
  const [kind, ...others] = props.kinds;
  const [alias, setAlias] = useState('');
  if (kind === undefined) return null;
  return (
    <Dialog title={t('Add a database')} width={620} keepsInput onClose={props.onClose}>
      <ConnectionForm
        kinds={[kind, ...others]}
        submitLabel={t('Add')}
        busyLabel={t('Reading the tables …')}
        testOf={(body) => ({ path: testPath, body })}
        onSubmit={async (database) => {
          const name = alias.trim();
          const body = { ...database, ...(name !== '' && { alias: name }) };
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
      </ConnectionForm>
    </Dialog>
  );
}
