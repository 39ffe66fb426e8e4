import type { ProjectEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { messageSend, type StepDefinition } from '../shared/index.ts';
import { useKinds } from './automation-requests.ts';
import { nameOfNew } from './draft.ts';

interface NamedStep extends Pick<StepDefinition, 'type' | 'name'> {
  /** What it was given, of which a message says over which channel it goes. */
  readonly input?: unknown;
}

/**
 * What people call a step: what it does, with the name that they gave it. Of a step whose plugin is off only the name is known.
 */
export function useStepLabel(project: ProjectEntity): (step: NamedStep) => string {
  const { t } = useHost();
  const kinds = useKinds(project).data?.steps ?? [];
  return ({ type, name, input }) => {
    const kind = kinds.find(({ id }) => id === type);
    if (kind === undefined) return name;
    const word = nameOfNew(kind);
    const isOwn = !name.startsWith(word) || /\D/.test(name.slice(word.length));
    const label = isOwn ? t('{{step}} “{{name}}”', { step: t(kind.label), name }) : t(kind.label);
    const channel = type === messageSend.id ? channelIn(input) : undefined;
    return channel === undefined ? label : t('{{step}} · {{channel}}', { step: label, channel });
  };
}

function channelIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('channel' in input)) return undefined;
  return typeof input.channel === 'string' ? input.channel : undefined;
}
