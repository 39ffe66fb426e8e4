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
  },
] as const;
