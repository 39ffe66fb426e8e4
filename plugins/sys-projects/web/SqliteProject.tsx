import type { ProjectEntity } from '@trellis/sdk/shared';
import { useT } from '@trellis/sdk/web';
import { Form, TextField } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import { isSentFile, SqliteFileField } from './databases/SqliteFileField.tsx';
import { longestTitle, titleProblem } from './project-title.ts';
import { useCreateProject } from './use-create-project.ts';

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

/** Creates a project on a SQLite file, either uploaded or from the server's folder for such files. */
export default function SqliteProject(props: {
  readonly onDone: (project: ProjectEntity) => void;
  readonly onCancel: () => void;
}) {
  const t = useT();
  const [file, setFile] = useState<string>();
  const [title, setTitle] = useState('');
  /** The title derived from the file's name; a title that the person typed stays. */
  const [given, setGiven] = useState('');
  const { create, problem, isCreating } = useCreateProject(props.onDone);
  const wrong = titleProblem(title);

  function choose(chosen: string | undefined, name: string | undefined) {
    setFile(chosen);
    if (name === undefined || title !== given) return;
    setTitle(titleOf(name));
    setGiven(titleOf(name));
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
      problem={problem}
      onSubmit={submit}
      onCancel={props.onCancel}
    >
      <SqliteFileField value={file} onChange={choose} isUsed={isCreating} />
      {file !== undefined && (
        <>
          <TextField label={t('Project name')} value={title} maxLength={longestTitle} onChange={setTitle} />
          <p className="projects-hint">
            {isSentFile(file)
              ? t(
                  'The project works on the copy that was sent; your file stays as it is. The copy goes with the project.',
                )
              : t(
                  'Other applications can go on using the file. While it is open here, the newest changes are in "{{file}}-wal" beside it: copy both, or wait until nobody has used the project for five minutes.',
                  { file },
                )}
          </p>
        </>
      )}
    </Form>
  );
}

/** `Chinook_Sqlite.sqlite` becomes `Chinook Sqlite`. */
function titleOf(file: string): string {
  return file
    .replace(/\.[^.]+$/, '')
    .replace(/[_-]+/g, ' ')
    .slice(0, longestTitle);
}
