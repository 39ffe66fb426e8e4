import { formView } from '#plugins/view-form/shared';

/** What the trigger "A form is answered" looks like. */
export const formAnswered = {
  id: 'form.answered',
  label: 'A form is answered',
  icon: 'file-edit',
  order: 15,
  inputs: [
    { id: 'table', label: 'Table', kind: 'table', isRequired: true },
    { id: 'form', label: 'Form', kind: 'view', table: 'table', only: formView.id, isRequired: true },
  ],
  table: 'table',
  onlyNew: true,
  values: ['row', 'table', 'event'],
} as const;
