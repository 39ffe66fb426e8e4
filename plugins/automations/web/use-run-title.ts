import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost, useTable } from '@trellis/sdk/web';
import { timePlanWords } from '@trellis/sdk/web/ui';
import { timePlanOf, type AutomationEntity, type RunEntity } from '../shared/index.ts';
import { useKinds } from './automation-requests.ts';

/** What runs of an automation are called: by the row that started them, else by what happened. */
export function useRunTitle(project: ProjectEntity, automation: AutomationEntity) {
  const { t } = useHost();
  const { type, settings } = automation.trigger;
  const kind = useKinds(project).data?.triggers.find(({ id }) => id === type);
  const asked = kind?.inputs.find((input) => input.kind === 'view');
  const views = useTable(textOf(settings[asked?.table ?? ''])).data?.views;
  const view = views?.find(({ id }) => asked !== undefined && id === settings[asked.id]);
  const plan = kind && timePlanOf(kind.inputs, settings);
  // Of one whose plugin is off only its id is known.
  const named = kind === undefined ? type : t(kind.label);
  const more = plan === undefined ? view?.title : timePlanWords(plan.cron, t);
  const trigger = more === undefined ? named : `${named}: ${more}`;
  return {
    /** What starts it. */
    trigger,
    titleOf({ row_id: key, row_title: title }: RunEntity): string {
      if (key === '') return trigger;
      return title ?? t('Row {{key}}', { key });
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
