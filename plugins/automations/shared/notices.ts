/** What the address of the tab says of the log that it opens. */
export const logParam = 'automation';

/** Names the log of an automation, and a run of it. */
export function logPlace(automationId: string, runId?: string): string {
  return runId === undefined ? automationId : `${automationId}.${runId}`;
}

/** The other way round. */
export function placeInLog(text: string): { readonly automationId: string; readonly runId?: string } {
  const [automationId = '', runId] = text.split('.');
  return { automationId, ...(runId !== undefined && { runId }) };
}

/** Kinds of notices, as the registry `noticeKinds` takes them. */
export const automationNotices = [
  {
    id: 'automation-failed',
    label: 'A run of an automation of mine fails',
    text: 'A run of an automation of yours failed',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
    opens: logParam,
  },
  {
    id: 'automation-skipped',
    label: 'An automation of mine is not started by a change of very many rows',
    text: 'An automation of yours was not started by a change of very many rows',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
    opens: logParam,
  },
  {
    id: 'automation-paused',
    label: 'An automation of mine is paused',
    text: 'An automation of yours is paused',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
    opens: logParam,
  },
] as const;
