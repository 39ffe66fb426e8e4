/** Kinds of notices, as the registry `noticeKinds` takes them. */
export const hookNotices = [
  {
    id: 'webhook-paused',
    label: 'A webhook of mine is paused',
    text: 'A webhook of yours is paused',
    page: true,
    mail: 'now',
    permission: 'hookList',
  },
] as const;
