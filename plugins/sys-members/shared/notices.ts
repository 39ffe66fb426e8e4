/** Kinds of notices, as the registry `noticeKinds` takes them. A mail goes to whoever is added anyway. */
export const memberNotices = [
  {
    id: 'member-added',
    label: 'Somebody adds me to a project',
    text: '{{person}} added you to a project',
    page: true,
  },
] as const;
