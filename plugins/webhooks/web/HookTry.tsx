import type { SentRequest, TableEntity } from '@trellis/sdk/shared';
import { ApiError, messageOfError, useHost } from '@trellis/sdk/web';
import { Notice, WorkButton } from '@trellis/sdk/web/ui';
import { useEffect, useRef, useState } from 'react';
import type { HookEntity, HookTestAnswer } from '../shared/index.ts';
import { testRequest, type HookDraft } from './hook-requests.ts';

/** The outcome of a test. */
type Result = Pick<HookTestAnswer, 'status' | 'duration_ms' | 'request'> & {
  readonly problem: string | undefined;
};

/** Sends the sample once with the current settings, and shows the request and the answer. */
export function HookTry(props: {
  readonly table: TableEntity;
  readonly hook: HookEntity | undefined;
  readonly draft: HookDraft;
  readonly data: unknown;
}) {
  const { table, hook, draft, data } = props;
  const { t, api } = useHost();
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Result | string>();
  const box = useRef<HTMLElement>(null);
  // The result is below the button, which may be at the lower edge.
  useEffect(() => {
    if (result !== undefined) box.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);

  async function run() {
    setBusy(true);
    setResult(undefined);
    try {
      const answer = await api.request<HookTestAnswer>(testRequest(table, hook, draft, data));
      setResult({ ...answer, problem: undefined });
    } catch (error) {
      const told = error instanceof ApiError ? (error.params as Partial<Result> | undefined) : undefined;
      const problem = messageOfError(error, t);
      const { request, status = 0, duration_ms = 0 } = told ?? {};
      setResult(request === undefined ? problem : { request, status, duration_ms, problem });
    } finally {
      setBusy(false);
    }
  }

  return (
    <section ref={box} className="webhooks-try" aria-label={t('Try it')}>
      <WorkButton isBusy={isBusy} onClick={() => void run()}>
        <i className={isBusy ? 'pi pi-spin pi-spinner' : 'pi pi-send'} aria-hidden="true" />{' '}
        {t('Send a test')}
      </WorkButton>
      {typeof result === 'string' && <Notice severity="error">{result}</Notice>}
      {typeof result === 'object' && (
        <>
          <Notice severity={result.problem === undefined ? 'success' : 'error'}>
            {result.problem ??
              t('The receiver answered with {{status}} after {{time}} ms.', {
                status: result.status,
                time: result.duration_ms,
              })}
          </Notice>
          {result.status > 0 && <AnswerNote />}
          <RequestText request={result.request} />
        </>
      )}
    </section>
  );
}

/** Explains why only the status of an answer is shown. */
export function AnswerNote() {
  const { t } = useHost();
  return (
    <p className="tr-note">
      {t(
        'What the receiver said is not kept: by a webhook nobody reads what programs inside of this network answer.',
      )}
    </p>
  );
}

/** A request as it was sent. */
export function RequestText({ request }: { readonly request: SentRequest }) {
  const { t } = useHost();
  const { method, url, headers, body } = request;
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return (
    <textarea
      readOnly
      rows={8}
      className="p-inputtext p-component webhooks-code"
      aria-label={t('What was sent')}
      value={`${lines.join('\n')}\n\n${body}`}
    />
  );
}
