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
  },
  {
    id: 'automation-skipped',
    label: 'An automation of mine is not started by a change of very many rows',
    text: 'An automation of yours was not started by a change of very many rows',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
  },
  {
    id: 'automation-paused',
    label: 'An automation of mine is paused',
    text: 'An automation of yours is paused',
    page: true,
    mail: 'now',
    permission: 'automationList',
    tab: 'automations',
  },
] as const;
