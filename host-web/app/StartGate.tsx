import { useT } from '@trellis/sdk/web';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { messageOfError } from '../api/error-from-response.ts';
import { useHostParts } from './host-parts.ts';
import { connect } from './start-web-host.ts';
import { BrandMark } from '@trellis/sdk/web/ui';

type Start = { readonly kind: 'starting' | 'ready' } | { readonly kind: 'failed'; readonly reason: string };

/** The first attempt to connect, if it began before anything was drawn. */
export interface FirstAttempt {
  readonly connecting?: Promise<void>;
  /** Whether the attempt has already succeeded. */
  readonly isConnected?: boolean;
}

/** Shows the page when the session and the plugins are known, and a placeholder until then. */
export function StartGate(props: FirstAttempt & { readonly children: ReactNode }) {
  const { connecting, isConnected = false, children } = props;
  const t = useT();
  const parts = useHostParts();
  const [start, setStart] = useState<Start>({ kind: isConnected ? 'ready' : 'starting' });

  const attempt = useCallback((work: () => Promise<void>) => {
    work().then(
      () => setStart({ kind: 'ready' }),
      (error: unknown) => setStart({ kind: 'failed', reason: messageOfError(error) }),
    );
  }, []);
  useEffect(() => {
    if (!isConnected) attempt(() => connecting ?? connect(parts));
  }, [attempt, connecting, isConnected, parts]);

  const retry = useCallback(() => {
    setStart({ kind: 'starting' });
    attempt(() => connect(parts));
  }, [attempt, parts]);
  const isFailed = start.kind === 'failed';
  useEffect(() => {
    if (!isFailed) return undefined;
    const waiting = parts.connection.onDidReturn(retry);
    return () => void waiting.dispose();
  }, [isFailed, parts, retry]);

  if (start.kind === 'ready') return children;
  return (
    <main className="tr-start">
      <BrandMark withName />
      {start.kind === 'failed' ? (
        <div role="alert" className="tr-start-problem">
          <p>{t(start.reason)}</p>
          <button type="button" className="tr-button" onClick={retry}>
            {t('Try again')}
          </button>
        </div>
      ) : (
        <div className="tr-start-bar" role="progressbar" aria-label={t('Loading')} />
      )}
    </main>
  );
}
