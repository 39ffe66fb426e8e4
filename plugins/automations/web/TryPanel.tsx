import type { ProjectEntity } from '@trellis/sdk/shared';
import { messageOfRefusal, useAttempt, useHost } from '@trellis/sdk/web';
import { Notice, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { AutomationDefinition, TryAnswer } from '../shared/index.ts';
import { tryRequest } from './automation-requests.ts';
import { Told } from './Told.tsx';
import { useStepLabel } from './use-step-label.ts';

interface TryPanelProps {
  readonly project: ProjectEntity;
  readonly definition: AutomationDefinition;
  readonly hasRow: boolean;
  /** Runs what asks the server, and marks the card that is refused. */
  readonly attempting: (work: () => Promise<void>) => Promise<void>;
  readonly isMarked: boolean;
}

/** Shows what the automation would do as it is written here; nothing is changed and nothing is sent. */
export function TryPanel({ project, definition, hasRow, attempting, isMarked }: TryPanelProps) {
  const { t, api } = useHost();
  const { isBusy, problem, attempt } = useAttempt();
  const labelOf = useStepLabel(project);
  const [row, setRow] = useState('');
  const [answer, setAnswer] = useState<TryAnswer>();

  async function run() {
    setAnswer(undefined);
    const title = definition.title.trim() === '' ? t('Dry run') : definition.title;
    await attempt(() =>
      attempting(async () => {
        setAnswer(await api.request<TryAnswer>(tryRequest(project, { ...definition, title }, row)));
      }),
    );
  }

  return (
    <section className="automations-card" aria-label={t('Dry run')}>
      <div className="automations-card-head">
        <h4>{t('Dry run')}</h4>
        {hasRow && (
          <input
            className="p-inputtext p-component automations-key"
            aria-label={t('Key of the row to try it with')}
            placeholder={t('ID of a row')}
            value={row}
            onChange={(event) => setRow(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              // The form around it would be saved.
              event.preventDefault();
              if (!isBusy) void run();
            }}
          />
        )}
        <WorkButton isBusy={isBusy} onClick={() => void run()}>
          {t('Show what it would do')}
        </WorkButton>
      </div>
      <p className="tr-note">
        {hasRow
          ? t(
              'Without a key the first row of the table is taken, or an example where it has none. Nothing is changed and nothing is sent.',
            )
          : t('Nothing is changed and nothing is sent. For what only a run knows an example is taken.')}
      </p>
      {problem !== undefined && !isMarked && <Notice severity="error">{problem}</Notice>}
      {answer !== undefined && answer.sample !== null && (
        <Notice severity="info">
          <p>
            {t(
              'The table has no row yet that you may see, so this is tried with a made-up one. Conditions are not asked.',
            )}
          </p>
          <Told label={t('The made-up row')} value={answer.sample} />
        </Notice>
      )}
      {answer !== undefined && !answer.is_met && (
        <Notice severity="info">{t('This row does not meet the conditions: nothing would happen.')}</Notice>
      )}
      {answer !== undefined && (
        <ol className="automations-steps" aria-label={t('What it would do')}>
          {answer.steps.map((step) => (
            <li key={`${step.name} ${step.item?.at ?? ''}`}>
              <p className="automations-step-head">
                <strong>{labelOf(step)}</strong>
                {step.item !== null && (
                  <small>
                    {t('Row {{at}} of {{total}}', { at: step.item.at + 1, total: step.item.count })}
                  </small>
                )}
              </p>
              {step.error !== null && (
                <p className="automations-problem">{messageOfRefusal(step.error, t)}</p>
              )}
              <Told label={t('It would do this')} value={step.input} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
