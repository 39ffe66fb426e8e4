import { askBeforeLeaving, useHost, useT, type EditorProps, type ToastMessage } from '@trellis/sdk/web';
import { Popover } from '@trellis/sdk/web/ui';
import { useEffect, useEffectEvent, useState } from 'react';
import { cellOf, filesOf, type AttachmentOptions } from '../shared/index.ts';
import { AttachmentCell } from './AttachmentCell.tsx';
import { FilesPanel } from './FilesPanel.tsx';
import { useFileItems, type FileItem, type LeftUploads } from './use-file-items.ts';

/** The properties of this editor besides those of every editor. */
export interface AttachmentEditorProps extends EditorProps<string, AttachmentOptions> {
  /** Maximum megabytes of a file. */
  readonly limit: number;
}

/** In the grid a panel above the cell; in a form the panel in place. */
export default function AttachmentEditor(props: AttachmentEditorProps) {
  return props.autoFocus ? <CellFiles {...props} /> : <FormFiles {...props} />;
}

/**
 * Keeps the arrived files when the panel closes, even by Escape, and adds to the cell what arrives afterwards. No upload is lost,
 * and nothing that others added to the cell meanwhile.
 */
function CellFiles(props: AttachmentEditorProps) {
  const { value, column, options, initialFiles, initialText, onChange, onCommit, onLate } = props;
  const t = useT();
  const { toast } = useHost();
  const takeLeft = async ({ done, stop }: LeftUploads, had: string | null): Promise<void> => {
    const stopAsking = askBeforeLeaving(undefined, 'page');
    toast({
      severity: 'info',
      summary: t('Files are still being uploaded.'),
      detail: t('They are added to “{{title}}” as soon as they have arrived.', { title: column.title }),
      life: 10_000,
      action: { label: t('Cancel'), run: stop },
    });
    const ends = await done;
    stopAsking();
    const arrived = ends.flatMap((item) => (item.kind === 'file' ? [item.file] : []));
    if (arrived.length > 0)
      onLate?.((now) => cellOf([...filesOf(now === undefined ? had : now), ...arrived]));
    tellProblems(ends, toast);
  };
  const files = useFileItems({
    ...props,
    onLeft: onLate && ((left) => void takeLeft(left, made)),
  });
  const [start] = useState(value);
  const made = withOthers(files.value, start, value);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [mustWait, setMustWait] = useState(false);
  const begin = useEffectEvent(() => {
    if (initialFiles !== undefined && !files.hasAdded) files.addFiles(initialFiles);
  });
  useEffect(() => begin(), []);
  const tell = useEffectEvent((cell: string | null) => {
    // A character that opened the editor is not a value.
    if (cell !== start || initialText !== undefined) onChange({ kind: 'value', value: cell });
  });
  useEffect(() => tell(made), [made]);
  const isDone = initialFiles !== undefined && files.hasAdded && !files.isBusy && !files.hasFailed;
  const commit = useEffectEvent(() => onCommit(made));
  useEffect(() => {
    // Files that were dropped on the cell need no further action.
    if (isDone) commit();
  }, [isDone]);

  const close = () => {
    if (files.isBusy) setMustWait(true);
    else onCommit(made);
  };
  return (
    // Presses in the panel must not reach the grid below it.
    <div
      ref={setAnchor}
      role="presentation"
      className="ca-anchor"
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
      onPaste={(event) => event.stopPropagation()}
    >
      <AttachmentCell value={made} row={undefined} column={column} options={options} selected={false} />
      {anchor !== null && (
        <Popover label={column.title} anchor={anchor} width={420} onClose={close}>
          <FilesPanel files={files} options={options} onDone={close} />
          {mustWait && files.isBusy && (
            <p className="ca-wait" role="status">
              {t('Files are still being uploaded. Wait for them, or cancel them.')}
            </p>
          )}
        </Popover>
      )}
    </div>
  );
}

/**
 * Writes each change when no upload is running: the form then starts again with the stored value. Until then the form is told to
 * wait.
 */
function FormFiles(props: AttachmentEditorProps) {
  const { value, options, onCommit, onBusy } = props;
  const { toast } = useHost();
  const t = useT();
  const files = useFileItems(props);
  const tellBusy = useEffectEvent((isBusy: boolean) =>
    onBusy?.(isBusy ? t('Files are still being uploaded. Wait for them, or cancel them.') : undefined),
  );
  useEffect(() => {
    if (!files.isBusy) return undefined;
    tellBusy(true);
    return () => tellBusy(false);
  }, [files.isBusy]);
  const [start] = useState(value);
  const isSettled = !files.isBusy && files.value !== value;
  const commit = useEffectEvent((made: string | null) => {
    tellProblems(files.items, toast);
    onCommit(withOthers(made, start, value));
  });
  useEffect(() => {
    if (isSettled) commit(files.value);
  }, [isSettled, files.value]);
  return <FilesPanel files={files} options={options} />;
}

function tellProblems(items: readonly FileItem[], toast: (message: ToastMessage) => void): void {
  for (const item of items)
    if (item.kind === 'failed')
      toast({ severity: 'error', summary: item.name, detail: item.problem, life: 10_000 });
}

/** The person's changes of a cell's files, merged with the files that others added and removed meanwhile. */
function withOthers(made: string | null, start: string | null, now: string | null): string | null {
  if (now === start) return made;
  if (made === start) return now;
  const [before, after] = [start, now].map((cell) => new Set(filesOf(cell ?? null).map(({ url }) => url)));
  const kept = filesOf(made).filter(({ url }) => before?.has(url) !== true || after?.has(url) === true);
  const added = filesOf(now).filter(({ url }) => before?.has(url) !== true);
  return cellOf([...kept, ...added]);
}
