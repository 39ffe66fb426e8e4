import { askBeforeLeaving, messageOfError, useHost } from '@trellis/sdk/web';
import { useEffect, useEffectEvent, useRef, useState } from 'react';

export const filesPath = '/api/v1/db/meta/sqlite-files';

/** A file of this computer on its way to the server. */
export type SentFile =
  | { readonly kind: 'none'; readonly problem?: string }
  /** `part` is how much of it has been sent, from 0 to 1; with 1 the server checks it. */
  | { readonly kind: 'sending'; readonly name: string; readonly bytes: number; readonly part: number }
  /** `file` is its name on the server. */
  | { readonly kind: 'sent'; readonly name: string; readonly bytes: number; readonly file: string };

/** The first 16 bytes of each database, of which the last one is zero. */
const sqliteBegin = /^SQLite format 3.$/s;

/**
 * Sends a SQLite file to the server, which checks it, and takes back what became no database.
 *
 * @param limit bytes of a file at most
 * @param isUsed whether a database is being opened on the file: then it stays there when the component goes
 */
export function useSentFile({ limit, isUsed }: { readonly limit: number; readonly isUsed: boolean }) {
  const { api, t } = useHost();
  const [sent, setSent] = useState<SentFile>({ kind: 'none' });
  const way = useRef<AbortController>(undefined);
  const kept = useRef<string>(undefined);

  function giveBack(): void {
    way.current?.abort();
    const { current } = kept;
    kept.current = undefined;
    if (current === undefined) return;
    // What a database has open by now stays, and the server removes by itself what this call does not reach.
    const path = `${filesPath}/${encodeURIComponent(current)}`;
    void api.request({ method: 'DELETE', path }).catch(() => undefined);
  }

  const leave = useEffectEvent(() => {
    if (!isUsed) giveBack();
  });
  useEffect(() => () => leave(), []);
  const isSending = sent.kind === 'sending';
  useEffect(() => (isSending ? askBeforeLeaving(undefined, 'page') : undefined), [isSending]);

  /** What can be said before anything is sent. */
  async function problemOf(file: File): Promise<string | undefined> {
    if (file.size > limit)
      return t('The file is larger than {{megabytes}} MB.', { megabytes: Math.floor(limit / 1024 ** 2) });
    const begin = await file.slice(0, 16).text();
    return sqliteBegin.test(begin) ? undefined : t('This is no SQLite database, or one that is encrypted.');
  }

  async function send(file: File): Promise<string | undefined> {
    giveBack();
    const { signal } = (way.current = new AbortController());
    const { name, size: bytes } = file;
    const tell = (part: number) => {
      if (!signal.aborted) setSent({ kind: 'sending', name, bytes, part });
    };
    try {
      const problem = await problemOf(file);
      if (problem !== undefined) {
        setSent({ kind: 'none', problem });
        return undefined;
      }
      tell(0);
      const answer = await api.request<{ readonly file: string }>({
        method: 'POST',
        path: filesPath,
        query: { name },
        headers: { 'content-type': 'application/octet-stream' },
        body: file,
        signal,
        onProgress: tell,
      });
      kept.current = answer.file;
      if (signal.aborted) {
        giveBack();
        return undefined;
      }
      setSent({ kind: 'sent', name, bytes, file: answer.file });
      return answer.file;
    } catch (error) {
      if (!signal.aborted) setSent({ kind: 'none', problem: messageOfError(error, t) });
      return undefined;
    }
  }

  return {
    sent,
    /** Gives its name on the server; undefined where it is not there: `sent` says why. */
    send,
    /** Ends the way of the file, or removes it from the server. */
    remove() {
      giveBack();
      setSent({ kind: 'none' });
    },
  };
}
