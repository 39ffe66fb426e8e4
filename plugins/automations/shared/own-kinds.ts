import { requestMethods, type AutomationInput } from '@trellis/sdk/shared';
import { rowTriggerValues } from './template-names.ts';

/** What a trigger of this plugin looks like. */
export interface OwnTrigger {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly order: number;
  readonly inputs: readonly AutomationInput[];
  readonly table?: string;
  readonly values: readonly string[];
  readonly onlyNew?: true;
}

/** What a step of this plugin looks like. */
export interface OwnStep {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly order: number;
  readonly inputs: readonly AutomationInput[];
  readonly outputs: readonly string[];
}

const table: AutomationInput = { id: 'table', label: 'Table', kind: 'table', isRequired: true };
const cells: AutomationInput = {
  id: 'cells',
  label: 'Values to write',
  kind: 'cells',
  table: 'table',
  isRequired: true,
};
const cellsAndLinks: AutomationInput = { ...cells, links: true };
const ofRow = { table: 'table', values: rowTriggerValues } as const;

export const rowAdded: OwnTrigger = {
  id: 'row.added',
  label: 'A row is added',
  icon: 'plus-circle',
  order: 10,
  inputs: [table],
  onlyNew: true,
  ...ofRow,
};

export const rowChanged: OwnTrigger = {
  id: 'row.changed',
  label: 'A row is changed',
  icon: 'pencil',
  order: 20,
  inputs: [
    table,
    {
      id: 'columns',
      label: 'Only when one of these changes; none chosen: any',
      kind: 'columns',
      table: 'table',
    },
  ],
  ...ofRow,
};

export const rowMatches: OwnTrigger = {
  id: 'row.matches',
  label: 'A row comes to match conditions',
  icon: 'filter',
  order: 30,
  inputs: [
    {
      ...table,
      help: 'Conditions on what is computed or linked count as well, also when a linked row is what changes. What changes by itself as time goes by counts with the next change of the row.',
    },
  ],
  ...ofRow,
};

export const rowDeleted: OwnTrigger = {
  id: 'row.deleted',
  label: 'A row is deleted',
  icon: 'minus-circle',
  order: 40,
  inputs: [table],
  ...ofRow,
};

export const rowCreate: OwnStep = {
  id: 'row.create',
  label: 'Create a row',
  icon: 'plus-circle',
  order: 10,
  inputs: [table, cellsAndLinks],
  outputs: ['key', 'row'],
};

export const rowUpdate: OwnStep = {
  id: 'row.update',
  label: 'Change a row',
  icon: 'pencil',
  order: 20,
  inputs: [
    table,
    {
      id: 'key',
      label: 'Key of the row',
      kind: 'text',
      isRequired: true,
      // (In quotes it would be taken for a text of the page.)
      initial: `{{trigger.row}}`,
      help: 'At first it is the row that started the automation.',
    },
    cellsAndLinks,
  ],
  outputs: ['key', 'row'],
};

export const rowsUpdate: OwnStep = {
  id: 'rows.update',
  label: 'Change rows',
  icon: 'pencil',
  order: 22,
  inputs: [
    table,
    {
      id: 'conditions',
      label: 'Rows that meet these conditions',
      kind: 'conditions',
      table: 'table',
      isRequired: true,
      help: 'All of them are changed at once, or none where there are more than 1,000.',
    },
    cells,
  ],
  outputs: ['count'],
};

export const rowDelete: OwnStep = {
  id: 'row.delete',
  label: 'Delete a row',
  icon: 'minus-circle',
  order: 25,
  inputs: [
    table,
    {
      id: 'key',
      label: 'Key of the row',
      kind: 'text',
      isRequired: true,
      initial: `{{trigger.row}}`,
      help: 'At first it is the row that started the automation.',
    },
  ],
  outputs: ['key', 'row'],
};

/** The body of a request where nobody wrote another: the whole row. */
export const firstBody = `{{json row}}`;

export const addressCall: OwnStep = {
  id: 'address.call',
  label: 'Call a URL',
  icon: 'send',
  order: 40,
  inputs: [
    {
      id: 'method',
      label: 'Method',
      kind: 'choice',
      initial: 'POST',
      options: requestMethods.map((value) => ({ value, label: value })),
    },
    {
      id: 'path',
      label: 'Address',
      kind: 'text',
      isRequired: true,
      placeholder: `https://example.com/requests`,
    },
    { id: 'headers', label: 'Headers', kind: 'pairs' },
    { id: 'body', label: 'Body', kind: 'body', initial: firstBody },
  ],
  outputs: ['status'],
};

export const messageSend: OwnStep = {
  id: 'message.send',
  label: 'Send a message',
  icon: 'comment',
  order: 50,
  inputs: [
    { id: 'channel', label: 'Channel', kind: 'channel', isRequired: true },
    { id: 'text', label: 'Message', kind: 'lines', isRequired: true },
  ],
  outputs: [],
};

export const rowsFind: OwnStep = {
  id: 'rows.find',
  label: 'Find rows',
  icon: 'search',
  order: 30,
  inputs: [
    table,
    {
      id: 'conditions',
      label: 'Rows that meet these conditions',
      kind: 'conditions',
      table: 'table',
      help: 'At most 100 rows are found.',
    },
  ],
  outputs: ['count', 'first', 'rows'],
};

export const mailSend: OwnStep = {
  id: 'mail.send',
  label: 'Send a mail',
  icon: 'envelope',
  order: 45,
  inputs: [
    {
      id: 'to',
      label: 'To',
      kind: 'text',
      isRequired: true,
      help: 'Several addresses with commas between them.',
    },
    { id: 'subject', label: 'Subject', kind: 'text', isRequired: true },
    { id: 'text', label: 'Message', kind: 'lines', isRequired: true },
  ],
  outputs: [],
};

export const wait: OwnStep = {
  id: 'wait',
  label: 'Wait',
  icon: 'hourglass',
  order: 60,
  inputs: [
    { id: 'amount', label: 'How long', kind: 'text', isRequired: true, initial: '1' },
    {
      id: 'unit',
      label: 'Unit of time',
      kind: 'choice',
      initial: 'hours',
      options: [
        { value: 'minutes', label: 'Minutes' },
        { value: 'hours', label: 'Hours' },
        { value: 'days', label: 'Days' },
      ],
    },
  ],
  outputs: ['until'],
};

export const operationRun: OwnStep = {
  id: 'operation.run',
  label: 'Run an action',
  icon: 'play',
  order: 70,
  inputs: [
    { id: 'operation', label: 'What to do', kind: 'choice', isRequired: true, options: [] },
    table,
    { id: 'key', label: 'Key of the row', kind: 'text', isRequired: true, initial: `{{trigger.row}}` },
  ],
  outputs: [],
};

export const rowButton: OwnTrigger = {
  id: 'row.button',
  label: 'A button of a row is pressed',
  icon: 'stop-circle',
  order: 50,
  inputs: [
    table,
    {
      id: 'button',
      label: 'Button',
      kind: 'columns',
      table: 'table',
      only: 'Button',
      isRequired: true,
      help: 'A column of the type Button that does “Run automations”.',
    },
  ],
  ...ofRow,
};

/** The operation that buttons do. */
export const buttonOperation = { id: 'automations.run', label: 'Run automations' } as const;
