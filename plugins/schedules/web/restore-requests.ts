import { askBeforeLeaving, messageOfError, useHost } from '@trellis/sdk/web';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { RestoreEntity } from '../shared/index.ts';

const path = '/api/v1/plugins/schedules/restores';
const pathOf = ({ id }: Pick<RestoreEntity, 'id'>) => `${path}/${encodeURIComponent(id)}`;

/** Milliseconds between two checks of a restore's progress. */
const every = 700;

/** A local backup that is being uploaded. */
export type SentBackup =
  | { readonly kind: 'none'; readonly problem?: string }
  /** `part`: the uploaded share, from 0 to 1; at 1 the server reads the backup. */
  | { readonly kind: 'sending'; readonly name: string; readonly part: number }
  | { readonly kind: 'sent'; readonly restore: RestoreEntity };

/** Uploads a backup, and deletes it if the component is unmounted before it was used. */
export function useSentBackup() {
  const { api, t } = useHost();
  const [sent, setSent] = useState<SentBackup>({ kind: 'none' });
  const way = useRef<AbortController>(undefined);

  const leave = useEffectEvent(() => {
    way.current?.abort();
    if (sent.kind !== 'sent') return;
    // A running restore keeps the backup, and the server deletes what this call does not reach.
    void api.request({ method: 'DELETE', path: pathOf(sent.restore) }).catch(() => undefined);
  });
  useEffect(() => () => leave(), []);
  const isSending = sent.kind === 'sending';
  useEffect(() => (isSending ? askBeforeLeaving(undefined, 'page') : undefined), [isSending]);

  async function send(file: File): Promise<void> {
    const { signal } = (way.current = new AbortController());
    const tell = (part: number) => {
      if (!signal.aborted) setSent({ kind: 'sending', name: file.name, part });
    };
    tell(0);
    try {
      const restore = await api.request<RestoreEntity>({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/octet-stream' },
        body: file,
        signal,
        onProgress: tell,
      });
      setSent({ kind: 'sent', restore });
    } catch (error) {
      if (!signal.aborted) setSent({ kind: 'none', problem: messageOfError(error, t) });
    }
  }

  return {
    sent,
    send,
    stop() {
      way.current?.abort();
      setSent({ kind: 'none' });
    },
  };
}

/** A restore's progress and its actions. */
export function useRestore(first: RestoreEntity) {
  const { api } = useHost();
  const [restore, setRestore] = useState(first);
  const isRunning = restore.state === 'running';
  const address = pathOf(first);

  useEffect(() => {
    if (!isRunning) return undefined;
    const ends = new AbortController();
    const look = async () => {
      // A failed check is followed by the next one: the server continues anyway.
      const now = await api
        .request<RestoreEntity>({ path: address, signal: ends.signal })
        .catch(() => undefined);
      if (now !== undefined && !ends.signal.aborted) setRestore(now);
    };
    const timer = setInterval(() => void look(), every);
    return () => {
      clearInterval(timer);
      ends.abort();
    };
  }, [api, address, isRunning]);

  const post = async (act: 'start' | 'cancel', body?: object) =>
    setRestore(await api.request<RestoreEntity>({ method: 'POST', path: `${address}/${act}`, body }));
  return {
    restore,
    start: (title: string) => post('start', { title }),
    cancel: () => post('cancel'),
  };
}
