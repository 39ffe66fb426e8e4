import {
  askBeforeLeaving,
  messageOfError,
  useApi,
  useT,
  useVisitedView,
  visitedCall,
} from '@trellis/sdk/web';
import type { ColumnEntity, AttachedFile } from '@trellis/sdk/shared';
import { useEffect, useEffectEvent, useState } from 'react';
import {
  cellOf,
  fileProblem,
  filesOf,
  megabyte,
  mostFiles,
  typeOfName,
  unknownType,
  type AttachmentOptions,
} from '../shared/index.ts';

/** A line of the editor: a file of the cell, or one that is being uploaded. */
export type FileItem =
  | { readonly kind: 'file'; readonly key: number; readonly file: AttachedFile }
  | {
      readonly kind: 'upload';
      readonly key: number;
      readonly name: string;
      /** From 0 to 1; undefined while unknown. */
      readonly part: number | undefined;
    }
  | { readonly kind: 'failed'; readonly key: number; readonly name: string; readonly problem: string };

/** The source of an upload: a local file, or an address. */
type Source = { readonly file: File } | { readonly url: string };

/** The state that the lines depend on. */
export interface FileItemsOptions {
  readonly value: string | null;
  readonly column: ColumnEntity;
  readonly options: AttachmentOptions;
  /** Maximum megabytes of a file. */
  readonly limit: number;
  /** Takes over running uploads when the component is unmounted; without it, they are cancelled. */
  readonly onLeft?: ((left: LeftUploads) => void) | undefined;
}

/** The uploads that were running at unmounting. */
export interface LeftUploads {
  /** Resolves to a line for each file that arrived or was refused, when no upload is running any more. */
  readonly done: Promise<readonly EndedUpload[]>;
  /** Cancels the running uploads. */
  stop(this: void): void;
}

/** The outcome of an upload that was not cancelled. */
export type EndedUpload = Exclude<FileItem, { kind: 'upload' }>;

/** Number of simultaneous uploads. */
const atOnce = 3;

/** The lines of a cell's editor, and their actions. */
export function useFileItems({ value, column, options, limit, onLeft }: FileItemsOptions) {
  const api = useApi();
  const visit = useVisitedView();
  const t = useT();
  const [newKey] = useState(countingKeys);
  const [items, setItems] = useState<readonly FileItem[]>(() =>
    filesOf(value).map((file) => ({ kind: 'file', key: newKey(), file })),
  );
  const [hasAdded, setAdded] = useState(false);
  const [uploads] = useState(() => new Map<number, AbortController>());
  /** Uploads that start when others end, in the order of their addition. */
  const [waiting] = useState(() => new Map<number, () => void>());
  /** All running and waiting uploads, with the receivers of their outcomes. */
  const [underWay] = useState(() => new Map<number, (end?: EndedUpload) => void>());
  const cancel = (key: number): void => {
    waiting.delete(key);
    uploads.get(key)?.abort();
    underWay.get(key)?.();
    underWay.delete(key);
  };
  const leave = useEffectEvent(() => {
    const stop = (): void => [...underWay.keys()].forEach(cancel);
    if (underWay.size === 0) return;
    if (onLeft === undefined) return stop();
    const ends = Promise.all(
      [...underWay.keys()].map(
        (key) => new Promise<EndedUpload | undefined>((resolve) => underWay.set(key, resolve)),
      ),
    );
    onLeft({ stop, done: ends.then((all) => all.filter((end) => end !== undefined)) });
  });
  useEffect(() => () => leave(), []);

  const isBusy = items.some(({ kind }) => kind === 'upload');
  useEffect(() => (isBusy ? askBeforeLeaving(undefined, 'page') : undefined), [isBusy]);

  const replace = (key: number, item: FileItem) =>
    setItems((now) => now.map((of) => (of.key === key ? item : of)));
  const end = (key: number, item: EndedUpload) => {
    replace(key, item);
    underWay.get(key)?.(item);
  };
  const remove = (key: number) => {
    cancel(key);
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
    const place =
      visit === undefined
        ? { ...request, path: '/api/v1/db/storage/upload' }
        : {
            method: 'POST' as const,
            signal: given.signal,
            ...visitedCall(visit, `files/${encodeURIComponent(column.id)}`),
          };
    try {
      const [file] =
        'file' in source
          ? await api.request<readonly AttachedFile[]>({
              ...place,
              body: formOf(source.file),
              onProgress: (part) => replace(key, { kind: 'upload', key, name, part }),
            })
          : await api.request<readonly AttachedFile[]>({
              ...request,
              path: '/api/v1/db/storage/upload-by-url',
              body: [{ url: source.url }],
            });
      if (file !== undefined) end(key, { kind: 'file', key, file });
    } catch (error) {
      if (!given.signal.aborted) end(key, { kind: 'failed', key, name, problem: messageOfError(error, t) });
    } finally {
      uploads.delete(key);
      underWay.get(key)?.();
      underWay.delete(key);
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
      underWay.set(key, () => undefined);
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
    /** Whether files were added to the cell's former ones. */
    hasAdded,
    hasFailed: items.some(({ kind }) => kind === 'failed'),
    /** The cell's value with the files that have arrived. */
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

/** Returns a new number each time. */
function countingKeys(): () => number {
  let last = 0;
  return () => (last += 1);
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.append('file', file, file.name);
  return form;
}
