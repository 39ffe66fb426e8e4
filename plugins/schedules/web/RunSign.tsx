import { useHost } from '@trellis/sdk/web';
import type { RunEntity, RunState } from '../shared/index.ts';

/** A run's state as a word with an icon. */
export function RunSign({ run }: { readonly run: Pick<RunEntity, 'state' | 'is_cancelling' | 'attempts'> }) {
  const { t } = useHost();
  const isRetried = run.state === 'waiting' && run.attempts.length > 0;
  const signs: Readonly<Record<RunState, readonly [icon: string, word: string]>> = {
    waiting: ['clock', isRetried ? t('Tried again') : t('Waiting')],
    running: ['spin pi-spinner', run.is_cancelling ? t('Being cancelled') : t('Running')],
    done: ['check-circle', t('Done')],
    failed: ['times-circle', t('Failed')],
    cancelled: ['ban', t('Cancelled')],
    skipped: ['forward', t('Passed over')],
    'cut-off': ['exclamation-circle', t('Cut off')],
  };
  const [icon, word] = signs[run.state];
  return (
    <span className="schedules-sign" data-state={run.state}>
      <i className={`pi pi-${icon}`} aria-hidden="true" /> {word}
    </span>
  );
}
