/** The kinds of notices, for the registry `noticeKinds`. */
export const scheduleNotices = [
  {
    id: 'schedule-failed',
    label: 'A schedule of mine fails or stands still',
    text: 'A schedule of yours failed or stands still',
    page: true,
    mail: 'now',
    permission: 'scheduleList',
    tab: 'schedules',
  },
] as const;
