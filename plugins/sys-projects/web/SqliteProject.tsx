import type { ProjectEntity } from '@trellis/sdk/shared';
import { useServerData, useT } from '@trellis/sdk/web';
import { Form, TextField } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';
import { longestTitle, titleProblem } from './project-title.ts';
import { useCreateProject } from './use-create-project.ts';

interface SqliteFile {
  readonly name: string;
  readonly bytes: number;
}

function readableSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = bytes === 0 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? 'B'}`;
}

function bodyOf(title: string, file: string): object {
  return {
    title,
    external: true,
    bases: [
      {
        type: 'sqlite3',
        config: { client: 'sqlite3', connection: { client: 'sqlite3', connection: { filename: file } } },
        inflection_table: 'camelize',
        inflection_column: 'camelize',
      },
    ],
  };
}

/** A project on a SQLite file that lies in the server's folder for them. */
export default function SqliteProject(props: {
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const files = useServerData<{ readonly list: readonly SqliteFile[] }>({
    path: '/api/v1/db/meta/sqlite-files',
  });
  const [file, setFile] = useState<string>();
  const [title, setTitle] = useState('');
  const { create, problem, isCreating } = useCreateProject(props.onDone);
  const list = files.data?.list ?? [];
  const [{ refetch }] = useState(files);
  // What was read when the dialog was open before may be old: people put files into the folder meanwhile.
  useEffect(() => refetch(), [refetch]);
  const wrong = titleProblem(title);

  function choose(name: string) {
    setFile(name);
    if (title === '' || list.some((of) => titleOf(of.name) === title)) setTitle(titleOf(name));
  }

  function submit() {
    if (file !== undefined && wrong === undefined) void create(bodyOf(title.trim(), file));
  }

  return (
    <Form
      submitLabel={t('Open')}
      busyLabel={t('Reading the tables …')}
      isBusy={isCreating}
      canSubmit={file !== undefined && wrong === undefined}
      problem={problem ?? files.error?.message}
      onSubmit={submit}
      onCancel={props.onCancel}
    >
      {files.data && list.length === 0 && (
        <div className="projects-hint">
          <p>{t('There is no SQLite file in the folder of this server yet.')}</p>
          <p>
            {t('Put one into the folder "sqlite" of the data folder (TRELLIS_SQLITE_DIR) and look again.')}
          </p>
        </div>
      )}
      {list.length > 0 && (
        <div className="projects-files" role="radiogroup" aria-label={t('SQLite file')}>
          {list.map(({ name, bytes }) => (
            <label key={name} className="projects-file" data-chosen={name === file}>
              <input type="radio" name="sqlite-file" checked={name === file} onChange={() => choose(name)} />
              <i className="pi pi-database" aria-hidden="true" />
              <span>{name}</span>
              <small>{readableSize(bytes)}</small>
            </label>
          ))}
        </div>
      )}
      <button type="button" className="tr-link" disabled={files.isFetching} onClick={files.refetch}>
        <i className="pi pi-refresh" aria-hidden="true" /> {t('Look again')}
      </button>
      {file !== undefined && (
        <>
          <TextField label={t('Project name')} value={title} maxLength={longestTitle} onChange={setTitle} />
          <p className="projects-hint">
            {t(
              'Other applications can go on using the file. While it is open here, the newest changes are in "{{file}}-wal" beside it: copy both, or wait until nobody has used the project for five minutes.',
              { file },
            )}
          </p>
        </>
      )}
    </Form>
  );
}

/** `Chinook_Sqlite.sqlite` as `Chinook Sqlite`. */
function titleOf(file: string): string {
  return file
    .replace(/\.[^.]+$/, '')
    .replace(/[_-]+/g, ' ')
    .slice(0, 50);
}
