/** The parameter for a webhook in the address of its table. */
export const hookParam = 'webhook';

/** The kinds of notices, for the registry `noticeKinds`. */
export const hookNotices = [
  {
    id: 'webhook-paused',
    // Also sent to the owners of its project, if its author may no longer be its owner.
    label: 'A webhook is paused',
    text: 'A webhook is paused',
    page: true,
    mail: 'now',
    permission: 'hookList',
    opens: hookParam,
  },
  {
    id: 'webhook-skipped',
    label: 'A webhook of mine is not told of a change of very many rows',
    text: 'A webhook of yours was not told of a change of very many rows',
    page: true,
    mail: 'now',
    permission: 'hookList',
    opens: hookParam,
  },
] as const;
