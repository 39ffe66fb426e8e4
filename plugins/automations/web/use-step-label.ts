import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import type { StepDefinition } from '../shared/index.ts';
import { useKinds } from './automation-requests.ts';
import { nameOfNew } from './draft.ts';

/**
 * What people call a step: what it does, with the name that they gave it. Of a step whose plugin is off only the name is known.
 */
export function useStepLabel(
  project: ProjectEntity,
): (step: Pick<StepDefinition, 'type' | 'name'>) => string {
  const { t } = useHost();
  const kinds = useKinds(project).data?.steps ?? [];
  return ({ type, name }) => {
    const kind = kinds.find(({ id }) => id === type);
    if (kind === undefined) return name;
    const word = nameOfNew(kind);
    const isOwn = !name.startsWith(word) || /\D/.test(name.slice(word.length));
    return isOwn ? t('{{step}} “{{name}}”', { step: t(kind.label), name }) : t(kind.label);
  };
}
