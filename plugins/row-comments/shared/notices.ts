/** The kinds of notices, for the registry `noticeKinds`. */
export const commentNotices = [
  {
    id: 'mention',
    label: 'Somebody mentions me in a comment',
    text: '{{person}} mentioned you in a comment',
    page: true,
    mail: 'off',
    pane: 'comments',
  },
] as const;
