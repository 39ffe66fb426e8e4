import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost, useTables } from '@trellis/sdk/web';
import { Dialog, Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { defaultColumns } from './default-columns.ts';
import { nameProblem } from './names.ts';

export default function CreateTableDialog({
  project,
  onClose,
}: {
  readonly project: ProjectEntity;
  readonly onClose: () => void;
}) {
  const host = useHost();
  const { t } = host;
  const tables = useTables(project.id);
  const [title, setTitle] = useState('');
  const { isBusy, problem, setProblem, attempt } = useAttempt();

  async function submit() {
    const taken = (tables.data?.list ?? []).map((table) => table.title);
    const wrong = nameProblem('Table', title, taken, project);
    if (wrong !== undefined) return setProblem(t(wrong.text, wrong.values));
    await attempt(async () => {
      const client = project.bases?.[0]?.type ?? 'sqlite3';
      const table = await host.api.request<TableEntity>({
        method: 'POST',
        path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/tables`,
        body: { table_name: title.trim(), title: title.trim(), columns: defaultColumns(client) },
      });
      host.invalidate([`tables:${project.id}`]);
      host.shell.openTab({ type: 'table', key: table.id, name: table.title });
      onClose();
    });
  }

  return (
    <Dialog title={t('Create table')} isBusy={isBusy} onClose={onClose}>
      <Form
        submitLabel={t('Create table')}
        busyLabel={t('Creating …')}
        isBusy={isBusy}
        problem={problem}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <TextField
          label={t('Table name')}
          value={title}
          placeholder={t('Customers')}
          hint={t(
            'It begins with a title, and notes when each row was made and changed. Add your own columns in the grid.',
          )}
          autoFocus
          onChange={(next) => {
            setTitle(next);
            setProblem(undefined);
          }}
        />
      </Form>
    </Dialog>
  );
}
