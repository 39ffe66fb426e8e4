/** The kinds of notices, for the registry `noticeKinds`. An added person gets a mail in any case. */
export const memberNotices = [
  {
    id: 'member-added',
    label: 'Somebody adds me to a project',
    text: '{{person}} added you to a project',
    page: true,
  },
] as const;
