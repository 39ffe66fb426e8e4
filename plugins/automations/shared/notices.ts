/** The parameter of the tab's address for the log to open. */
export const logParam = 'automation';

/** The place of an automation's log, or of a run in it. */
export function logPlace(automationId: string, runId?: string): string {
  return runId === undefined ? automationId : `${automationId}.${runId}`;
}

/** The reverse of `logPlace`. */
export function placeInLog(text: string): { readonly automationId: string; readonly runId?: string } {
  const [automationId = '', runId] = text.split('.');
  return { automationId, ...(runId !== undefined && { runId }) };
}

/** The kinds of notices, for the registry `noticeKinds`. */
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
