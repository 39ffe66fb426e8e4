import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { ApiError, useHost, useServerData } from '@trellis/sdk/web';
import { Dialog } from 'primereact/dialog';
import { useRef, useState, type FormEvent } from 'react';
import { defaultColumns } from './default-columns.ts';
import { nameProblem } from './names.ts';
import { tablesRequest } from './table-requests.ts';

export default function CreateTableDialog({
  project,
  onClose,
}: {
  readonly project: ProjectEntity;
  readonly onClose: () => void;
}) {
  const host = useHost();
  const { t } = host;
  const tables = useServerData<{ readonly list: readonly TableEntity[] }>(tablesRequest(project.id), {
    tags: [`tables:${project.id}`],
  });
  const input = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isCreating, setCreating] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = nameProblem(
      'Table',
      title,
      (tables.data?.list ?? []).map((table) => table.title),
    );
    if (wrong !== undefined) return setProblem(t(wrong.text, wrong.values));
    setCreating(true);
    setProblem(undefined);
    try {
      const client = project.bases?.[0]?.type ?? 'sqlite3';
      const table = await host.api.request<TableEntity>({
        method: 'POST',
        path: `/api/v1/db/meta/projects/${encodeURIComponent(project.id)}/tables`,
        body: { table_name: title.trim(), title: title.trim(), columns: defaultColumns(client) },
      });
      host.invalidate([`tables:${project.id}`]);
      host.shell.openTab({ type: 'table', key: table.id, name: table.title });
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('Some internal error occurred'));
      setCreating(false);
    }
  }

  return (
    <Dialog
      visible
      modal
      draggable={false}
      resizable={false}
      header={t('Create table')}
      className="tables-dialog"
      focusOnShow={false}
      onShow={() => input.current?.focus()}
      onHide={onClose}
    >
      <form className="tables-form" onSubmit={(event) => void submit(event)}>
        <label className="tr-field">
          <span>{t('Table name')}</span>
          <input
            className="p-inputtext p-component"
            ref={input}
            value={title}
            placeholder={t('Customers')}
            aria-invalid={problem !== undefined}
            onChange={(event) => {
              setTitle(event.target.value);
              setProblem(undefined);
            }}
          />
        </label>
        <p className="tables-note">
          {t(
            'It begins with a title, and notes when each row was made and changed. Add your own columns in the grid.',
          )}
        </p>
        {problem !== undefined && (
          <p className="tables-problem" role="alert">
            {problem}
          </p>
        )}
        <div className="tables-actions">
          <button type="button" className="tr-button" onClick={onClose} disabled={isCreating}>
            {t('Cancel')}
          </button>
          <button type="submit" className="tr-button tr-button--primary" disabled={isCreating}>
            {isCreating ? t('Creating …') : t('Create table')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
