import { sizeText, useServerData, useT } from '@trellis/sdk/web';
import { ChoiceLines, FileDrop, Notice, Progress, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect, useState } from 'react';
import { filesPath, useSentFile } from './use-sent-file.ts';

interface SqliteFile {
  readonly name: string;
  readonly bytes: number;
}

interface SqliteFiles {
  readonly list: readonly SqliteFile[];
  /** `limit`: maximum bytes of a file; 0 if the operator forbids uploads. */
  readonly upload: { readonly limit: number };
}

/** Chooses a SQLite file of the server's folder, or uploads one. */
export function SqliteFileField(props: {
  /** The chosen file's name on the server. */
  readonly value: string | undefined;
  /** `name`: the file's name for people. */
  readonly onChange: (file: string | undefined, name: string | undefined) => void;
  readonly problem?: string | undefined;
  /** Whether a database is being opened from it. */
  readonly isUsed: boolean;
}) {
  const { value, onChange, problem, isUsed } = props;
  const t = useT();
  const files = useServerData<SqliteFiles>({ path: filesPath });
  const [{ refetch }] = useState(files);
  // People may have put files into the folder since the dialog was last open.
  useEffect(() => refetch(), [refetch]);
  const list = files.data?.list ?? [];
  const limit = files.data?.upload.limit ?? 0;
  const { sent, send, remove } = useSentFile({ limit, isUsed });

  async function bring(file: File) {
    onChange(undefined, undefined);
    const kept = await send(file);
    if (kept !== undefined) onChange(kept, file.name);
  }

  function giveBack() {
    remove();
    if (sent.kind === 'sent' && sent.file === value) onChange(undefined, undefined);
  }

  const lines = [
    ...(sent.kind === 'sent' ? [{ ...sent, isSent: true }] : []),
    ...list.map((of) => ({ ...of, file: of.name, isSent: false })),
  ];
  return (
    <div className="projects-file-field">
      {files.error && <Notice severity="error">{files.error.message}</Notice>}
      {lines.length > 0 && (
        <ChoiceLines
          label={t('SQLite file')}
          value={value}
          options={lines.map(({ file, name, bytes, isSent }) => ({
            value: file,
            label: (
              <>
                <i className={isSent ? 'pi pi-upload' : 'pi pi-database'} aria-hidden="true" /> {name}
              </>
            ),
            note: sizeText(bytes),
            aside: isSent && (
              <button
                type="button"
                className="tr-icon-button"
                aria-label={t('Remove {{name}}', { name })}
                title={t('Remove {{name}}', { name })}
                aria-disabled={isUsed}
                onClick={() => {
                  if (!isUsed) giveBack();
                }}
              >
                <i className="pi pi-times" aria-hidden="true" />
              </button>
            ),
          }))}
          onChange={(file) => onChange(file, lines.find((line) => line.file === file)?.name ?? file)}
        />
      )}
      {sent.kind === 'sending' && (
        <div className="projects-sending">
          <p role="status">
            {sent.part >= 1
              ? t('{{name}} is being checked …', { name: sent.name })
              : t('{{name}} is being sent …', { name: sent.name })}
          </p>
          <Progress
            label={t('{{name}} is being sent …', { name: sent.name })}
            value={sent.part >= 1 ? undefined : Math.round(sent.part * 100)}
          />
          <span className="projects-sending-foot">
            <small>
              {t('{{sent}} of {{size}}', {
                sent: sizeText(sent.part * sent.bytes),
                size: sizeText(sent.bytes),
              })}
            </small>
            <button type="button" className="tr-link" onClick={giveBack}>
              {t('Do not send it')}
            </button>
          </span>
        </div>
      )}
      {sent.kind === 'none' && limit > 0 && (
        <FileDrop
          label={t('SQLite file of this computer')}
          hint={t('or drop a SQLite file of up to {{size}} here. It is copied to the server.', {
            size: sizeText(limit),
          })}
          problem={sent.problem !== undefined && <Notice severity="error">{sent.problem}</Notice>}
          onChoose={(file) => void bring(file)}
        />
      )}
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {sent.kind === 'none' && (
        <p className="projects-hint">
          {list.length === 0 &&
            t(
              'A file can also be opened where it is: put it into the folder "sqlite" of the server\'s data folder (TRELLIS_SQLITE_DIR).',
            )}{' '}
          <WorkButton className="tr-link" isBusy={files.isFetching} onClick={files.refetch}>
            <i className="pi pi-refresh" aria-hidden="true" /> {t('Look again')}
          </WorkButton>
        </p>
      )}
    </div>
  );
}

/** Whether the file was uploaded: such a file is deleted with its database; the server's own files stay. */
export function isSentFile(file: string): boolean {
  return file.startsWith('uploads/');
}
