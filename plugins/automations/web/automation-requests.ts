import { hostObjectKinds, type Page, type ProjectEntity } from '@trellis/sdk/shared';
import { useServerData, objectsTag, type ApiRequest } from '@trellis/sdk/web';
import {
  automationsObjectKind,
  type AutomationDefinition,
  type AutomationEntity,
  type KindsEntity,
  type RunDetail,
  type RunEntity,
  type VersionEntity,
} from '../shared/index.ts';

const base = '/api/v1/plugins/automations';
const ofProject = ({ id }: ProjectEntity) => `${base}/projects/${encodeURIComponent(id)}`;
export const automationPath = ({ id }: Pick<AutomationEntity, 'id'>) =>
  `${base}/automations/${encodeURIComponent(id)}`;

/** The tag of all data about a project's automations; the live channel names it when something changes. */
export const automationsTag = ({ id }: Pick<ProjectEntity, 'id'>) => objectsTag(automationsObjectKind, id);

export function useAutomations(project: ProjectEntity) {
  return useServerData<{ readonly list: readonly AutomationEntity[] }>(
    { path: `${ofProject(project)}/automations` },
    { tags: [automationsTag(project)] },
  );
}

/** The kinds of triggers and steps. The plugins' settings contain the targets of their channels. */
export function useKinds(project: ProjectEntity) {
  return useServerData<KindsEntity>(
    { path: `${ofProject(project)}/kinds` },
    { tags: ['plugins', objectsTag(hostObjectKinds.pluginSettings)] },
  );
}

/** The objects that a button's action can use on a table's rows; nothing is requested without a table. */
export function useActChoices(tableId: string, act: string) {
  const path = `${base}/tables/${encodeURIComponent(tableId)}/acts/${encodeURIComponent(act)}`;
  return useServerData<{ readonly list: readonly { readonly id: string; readonly label: string }[] }>(
    tableId === '' ? undefined : { path },
    { isDraft: true },
  );
}

export function useRuns(project: ProjectEntity, automation: AutomationEntity, offset: number, limit: number) {
  return useServerData<Page<RunEntity>>(
    { path: `${automationPath(automation)}/runs?limit=${limit}&offset=${offset}` },
    { tags: [automationsTag(project)], keepsLast: true },
  );
}

export function useRun(project: ProjectEntity, automation: AutomationEntity, runId: string | undefined) {
  return useServerData<RunDetail>(
    runId === undefined
      ? undefined
      : { path: `${automationPath(automation)}/runs/${encodeURIComponent(runId)}` },
    { tags: [automationsTag(project)] },
  );
}

export function useVersions(project: ProjectEntity, automation: AutomationEntity) {
  return useServerData<{ readonly list: readonly VersionEntity[] }>(
    { path: `${automationPath(automation)}/versions` },
    { tags: [automationsTag(project)] },
  );
}

/** @param replaces the revision that is replaced; the server refuses if there is another one. */
export function saveRequest(
  project: ProjectEntity,
  automation: AutomationEntity | undefined,
  definition: AutomationDefinition,
  replaces: string | null,
): ApiRequest {
  // An automation without steps is off until somebody switches it on.
  const body = { ...definition, ...(definition.steps.length === 0 && { active: false }) };
  return automation === undefined
    ? { method: 'POST', path: `${ofProject(project)}/automations`, body }
    : { method: 'PATCH', path: automationPath(automation), body: { ...body, replaces } };
}

export function tryRequest(
  project: ProjectEntity,
  automation: AutomationDefinition,
  row: string,
): ApiRequest {
  return { method: 'POST', path: `${ofProject(project)}/try`, body: { automation, row } };
}
