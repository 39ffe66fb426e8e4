/** The kind of notices about mails for answers, for the registry `noticeKinds`. */
export const formMailNotice = {
  id: 'form-mail-lost',
  label: 'A mail for an answer to a form of mine could not be sent',
  text: 'Mails for answers to a form of yours could not be sent; the answers are in the table',
  page: true,
  permission: 'formViewGet',
  // A view, in the address of its table.
  opens: 'view',
} as const;
