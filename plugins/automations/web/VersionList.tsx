import type { ProjectEntity } from '@trellis/sdk/shared';
import { useAttempt, useHost, type Translate } from '@trellis/sdk/web';
import { ErrorNotice, Notice, PageHead, Skeleton, WorkButton } from '@trellis/sdk/web/ui';
import type { AutomationEntity, StepDefinition, VersionEntity } from '../shared/index.ts';
import { automationPath, automationsTag, useVersions } from './automation-requests.ts';
import { timeText } from './run-words.ts';
import { useStepLabel } from './use-step-label.ts';

interface VersionListProps {
  readonly project: ProjectEntity;
  readonly automation: AutomationEntity;
  readonly onBack: () => void;
}

/** What an automation was set to, version by version, with the way back to one. */
export function VersionList({ project, automation, onBack }: VersionListProps) {
  const { t, api, invalidate, toast } = useHost();
  const { data, error, refetch } = useVersions(project, automation);
  const { isBusy, problem, attempt } = useAttempt();
  const labelOf = useStepLabel(project);

  async function restore({ version }: VersionEntity) {
    const path = `${automationPath(automation)}/versions/${version}/restore`;
    if (!(await attempt(() => api.request({ method: 'POST', path, body: {} })))) return;
    invalidate([automationsTag(project)]);
    toast({ severity: 'success', summary: t('The automation is as version {{version}} was', { version }) });
  }

  return (
    <section className="tr-page">
      <PageHead title={t('Versions of {{automation}}', { automation: automation.title })} onBack={onBack} />
      {problem !== undefined && <Notice severity="error">{problem}</Notice>}
      {error !== undefined && data === undefined && <ErrorNotice message={error.message} onRetry={refetch} />}
      {error === undefined && data === undefined && <Skeleton height={48} count={3} />}
      <ul className="automations-list" aria-label={t('Versions')}>
        {data?.list.map((version, index) => (
          <li key={version.version}>
            <span className="automations-name">
              <strong>{t('Version {{version}}', { version: version.version })}</strong>
              <small>
                {timeText(version.created_at)} · {version.author}
              </small>
              <small>
                {t('Changed: {{parts}}', {
                  parts: changedParts(version, data.list[index + 1], { t, labelOf }),
                })}
              </small>
            </span>
            {index === 0 ? (
              <small>{t('Holds now')}</small>
            ) : (
              <WorkButton
                isBusy={isBusy}
                aria-label={t('Return to version {{version}}', { version: version.version })}
                onClick={() => void restore(version)}
              >
                {t('Return to it')}
              </WorkButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a version changed of the one before, in a few words. */
function changedParts(
  now: VersionEntity,
  before: VersionEntity | undefined,
  { t, labelOf }: { readonly t: Translate; readonly labelOf: ReturnType<typeof useStepLabel> },
): string {
  if (before === undefined) return t('everything: the oldest version that is kept');
  const differ = (left: unknown, right: unknown) => JSON.stringify(left) !== JSON.stringify(right);
  const steps = new Map(before.steps.map((step) => [step.id, step]));
  const changedStep = (step: StepDefinition) =>
    steps.has(step.id)
      ? t('the step {{step}}', { step: labelOf(step) })
      : t('the new step {{step}}', { step: labelOf(step) });
  const parts = [
    ...(now.title === before.title ? [] : [t('the name')]),
    ...(differ(now.trigger, before.trigger) ? [t('when it starts')] : []),
    ...(differ(now.conditions, before.conditions) ? [t('the conditions')] : []),
    ...now.steps.flatMap((step) => (differ(step, steps.get(step.id)) ? [changedStep(step)] : [])),
    ...before.steps.flatMap((of) =>
      now.steps.some((step) => step.id === of.id) ? [] : [t('without {{step}}', { step: labelOf(of) })],
    ),
  ];
  return parts.length === 0 ? t('the order of the steps') : parts.join(', ');
}
