import type { ProjectEntity, TableEntity } from '@trellis/sdk/shared';
import { ApiError, messageOfRefusal, useAttempt, useHost } from '@trellis/sdk/web';
import { Notice, WorkButton } from '@trellis/sdk/web/ui';
import { useState } from 'react';
import type { AutomationDefinition, TryAnswer } from '../shared/index.ts';
import { tryRequest } from './automation-requests.ts';
import { Told } from './Told.tsx';
import { TryRow, type ChosenRow } from './TryRow.tsx';
import { useStepLabel } from './use-step-label.ts';

interface TryPanelProps {
  readonly project: ProjectEntity;
  readonly definition: AutomationDefinition;
  /** The table whose rows start it, once its columns are known. */
  readonly table: TableEntity | undefined;
}

/** Shows what the automation would do as it is written here; nothing is changed and nothing is sent. */
export function TryPanel({ project, definition, table }: TryPanelProps) {
  const { t, api } = useHost();
  const { isBusy, problem, attempt } = useAttempt();
  const labelOf = useStepLabel(project);
  const [chosen, setChosen] = useState<{ readonly table: string; readonly row: ChosenRow }>();
  const [answer, setAnswer] = useState<TryAnswer>();
  // The row of another table says nothing here.
  const row = chosen?.table === table?.id ? chosen?.row : undefined;

  /** The same error, with what the step is called that it is about. */
  function inWordsOfStep(error: unknown): unknown {
    if (!(error instanceof ApiError) || typeof error.params.step !== 'string') return error;
    const { status, message, code, params } = error;
    const named = definition.steps.find(({ name }) => name.trim() === params.step);
    const step = named === undefined ? t(error.params.step) : labelOf(named);
    return new ApiError(status, t('{{step}}: {{problem}}', { step, problem: message }), code, params);
  }

  async function run() {
    setAnswer(undefined);
    const title = definition.title.trim() === '' ? t('Dry run') : definition.title;
    const request = tryRequest(project, { ...definition, title }, row?.key ?? '');
    await attempt(async () => {
      try {
        setAnswer(await api.request<TryAnswer>(request));
      } catch (error) {
        throw inWordsOfStep(error);
      }
    });
  }

  return (
    <section className="automations-card" aria-label={t('Dry run')}>
      <div className="automations-card-head">
        <h4>{t('Dry run')}</h4>
        {table !== undefined && (
          <TryRow
            key={table.id}
            project={project}
            table={table}
            row={row}
            onChange={(next) => setChosen(next && { table: table.id, row: next })}
          />
        )}
        <WorkButton isBusy={isBusy} onClick={() => void run()}>
          {t('Show what it would do')}
        </WorkButton>
      </div>
      <p className="tr-note">
        {table !== undefined
          ? t('An example is taken where the table has no row. Nothing is changed and nothing is sent.')
          : t('Nothing is changed and nothing is sent. For what only a run knows an example is taken.')}
      </p>
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
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
