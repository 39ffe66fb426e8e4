import { messageOfError, useApi, useT } from '@trellis/sdk/web';
import type { ColumnEntity } from '@trellis/sdk/shared';
import { useEffect, useState } from 'react';
import {
  cellOf,
  fileProblem,
  filesOf,
  megabyte,
  mostFiles,
  typeOfName,
  unknownType,
  type AttachedFile,
  type AttachmentOptions,
} from '../shared/index.ts';

/** A line of the editor: a file of the cell, or one on its way into it. */
export type FileItem =
  | { readonly kind: 'file'; readonly key: number; readonly file: AttachedFile }
  | {
      readonly kind: 'upload';
      readonly key: number;
      readonly name: string;
      /** From 0 to 1; undefined while nobody knows. */
      readonly part: number | undefined;
    }
  | { readonly kind: 'failed'; readonly key: number; readonly name: string; readonly problem: string };

/** What is uploaded: a file of this computer, or one at an address. */
type Source = { readonly file: File } | { readonly url: string };

/** What the lines are about. */
export interface FileItemsOptions {
  readonly value: string | null;
  readonly column: ColumnEntity;
  readonly options: AttachmentOptions;
  /** Megabytes of a file at most. */
  readonly limit: number;
}

/** Files that are sent at a time. */
const atOnce = 3;

/** The lines of the editor of a cell, and what is done with them. Uploads end with the component. */
export function useFileItems({ value, column, options, limit }: FileItemsOptions) {
  const api = useApi();
  const t = useT();
  const [newKey] = useState(countingKeys);
  const [items, setItems] = useState<readonly FileItem[]>(() =>
    filesOf(value).map((file) => ({ kind: 'file', key: newKey(), file })),
  );
  const [hasAdded, setAdded] = useState(false);
  const [uploads] = useState(() => new Map<number, AbortController>());
  /** Those that are begun when others end, in the order in which they were added. */
  const [waiting] = useState(() => new Map<number, () => void>());
  useEffect(
    () => () => {
      waiting.clear();
      for (const upload of uploads.values()) upload.abort();
    },
    [uploads, waiting],
  );

  const isBusy = items.some(({ kind }) => kind === 'upload');
  useEffect(() => {
    if (!isBusy) return undefined;
    // The browser asks in words of its own: files on their way are gone with the page.
    const ask = (event: Event): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isBusy]);

  const replace = (key: number, item: FileItem) =>
    setItems((now) => now.map((of) => (of.key === key ? item : of)));
  const remove = (key: number) => {
    waiting.delete(key);
    uploads.get(key)?.abort();
    setItems((now) => now.filter((of) => of.key !== key));
  };

  /** Why a file is not sent at all. */
  function problemOf(source: Source, place: number): string | undefined {
    const most = options.maximumFiles === 0 ? mostFiles : options.maximumFiles;
    if (place >= most)
      return t('A cell of this column holds {{count}} files at most.', {
        count: most,
        one: 'A cell of this column holds {{count}} file at most.',
      });
    if (!('file' in source)) return undefined;
    const { name, size, type } = source.file;
    if (size > limit * megabyte) return t('is larger than {{megabytes}} MB', { megabytes: limit });
    const problem = fileProblem({ name, size, type: typeOfName(name) ?? (type || unknownType) }, options);
    if (problem === undefined) return undefined;
    return problem.kind === 'size'
      ? t('is larger than {{megabytes}} MB', { megabytes: problem.megabytes })
      : t('is none of {{kinds}}', { kinds: problem.kinds });
  }

  async function send(key: number, name: string, source: Source): Promise<void> {
    const given = new AbortController();
    uploads.set(key, given);
    const path = `noco/${column.project_id}/${column.fk_model_id}/${column.id}`;
    const request = { method: 'POST', query: { path }, signal: given.signal } as const;
    try {
      const [file] =
        'file' in source
          ? await api.request<readonly AttachedFile[]>({
              ...request,
              path: '/api/v1/db/storage/upload',
              body: formOf(source.file),
              onProgress: (part) => replace(key, { kind: 'upload', key, name, part }),
            })
          : await api.request<readonly AttachedFile[]>({
              ...request,
              path: '/api/v1/db/storage/upload-by-url',
              body: [{ url: source.url }],
            });
      if (file !== undefined) replace(key, { kind: 'file', key, file });
    } catch (error) {
      if (!given.signal.aborted)
        replace(key, { kind: 'failed', key, name, problem: messageOfError(error, t) });
    } finally {
      uploads.delete(key);
      beginNext();
    }
  }

  function beginNext(): void {
    const [next] = waiting;
    if (next === undefined) return;
    const [key, begin] = next;
    waiting.delete(key);
    begin();
  }

  function add(sources: readonly Source[]): void {
    const places = items.filter(({ kind }) => kind !== 'failed').length;
    let taken = 0;
    const added = sources.map((source): FileItem => {
      const name = 'file' in source ? source.file.name : source.url;
      const key = newKey();
      const problem = problemOf(source, places + taken);
      if (problem !== undefined) return { kind: 'failed', key, name, problem };
      taken += 1;
      const begin = () => void send(key, name, source);
      if (uploads.size >= atOnce) waiting.set(key, begin);
      else begin();
      return { kind: 'upload', key, name, part: 'file' in source ? 0 : undefined };
    });
    setAdded(true);
    setItems((now) => [...now, ...added]);
  }

  return {
    items,
    isBusy,
    /** Whether files were added to those that the cell had. */
    hasAdded,
    hasFailed: items.some(({ kind }) => kind === 'failed'),
    /** The cell as it is with the files that have arrived. */
    value: cellOf(items.flatMap((item) => (item.kind === 'file' ? [item.file] : []))),
    addFiles: (files: readonly File[]) => add(files.map((file) => ({ file }))),
    addAddress: (url: string) => add([{ url }]),
    remove,
    rename: (key: number, title: string) =>
      setItems((now) =>
        now.map((of) => (of.key === key && of.kind === 'file' ? { ...of, file: { ...of.file, title } } : of)),
      ),
    reorder: setItems,
  };
}

export type FileItems = ReturnType<typeof useFileItems>;

/** Gives another number each time. */
function countingKeys(): () => number {
  let last = 0;
  return () => (last += 1);
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.append('file', file, file.name);
  return form;
}
