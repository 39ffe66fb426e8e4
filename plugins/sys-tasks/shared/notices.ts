/** The kinds of notices, for the registry `noticeKinds`. */
export const taskNotices = [
  {
    id: 'task-ended',
    label: 'A task of mine ends that took more than a minute',
    text: 'A task of yours is done',
    page: true,
    mail: 'off',
    permission: 'taskList',
  },
  {
    id: 'task-failed',
    label: 'A task of mine fails',
    text: 'A task of yours failed',
    page: true,
    mail: 'off',
    permission: 'taskList',
  },
] as const;
