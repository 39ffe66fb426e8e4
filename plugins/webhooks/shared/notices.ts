/** Names a webhook in the address of its table. */
export const hookParam = 'webhook';

/** Kinds of notices, as the registry `noticeKinds` takes them. */
export const hookNotices = [
  {
    id: 'webhook-paused',
    // Also told to the owners of its project, where whoever made it may not answer for it any more.
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
