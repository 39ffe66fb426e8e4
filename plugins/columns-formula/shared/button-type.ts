import { defineColumnType } from '@trellis/sdk/shared';

/** Colours of a button, from the theme. */
export const buttonColors = ['primary', 'success', 'warning', 'danger', 'secondary'] as const;
/** The available icons of a button, as names of the icon font. */
export const buttonIcons = [
  '',
  'external-link',
  'send',
  'check',
  'play',
  'refresh',
  'phone',
  'envelope',
] as const;

/** The stored options of a button column. */
export type ButtonOptions = {
  /** `link` opens the address from the formula; `run` runs a plugin's operation for the row. */
  readonly action: 'link' | 'run';
  /** Empty for the column's title. */
  readonly label: string;
  readonly color: (typeof buttonColors)[number];
  readonly icon: (typeof buttonIcons)[number];
  /** With the ids of columns, as in formula columns; empty for `run`. */
  readonly formula: string;
  /** The id of an operation; empty for `link`. */
  readonly operation: string;
  /** The id of the operation's choice; empty if it has none. */
  readonly choice: string;
  /** The former titles of deleted columns that the formula names, by id. */
  readonly gone: Readonly<Record<string, string>>;
};

const defaults: ButtonOptions = {
  action: 'link',
  label: '',
  color: 'primary',
  icon: '',
  formula: '',
  operation: '',
  choice: '',
  gone: {},
};

/** A button in each row. Nothing is stored in the rows: a cell is the address that a press opens. */
export const button = defineColumnType<string, ButtonOptions>({
  id: 'Button',
  label: 'Button',
  description: 'Opens a link made of the row, or has something done for it.',
  icon: 'play',
  storage: 'virtual',
  accepts: ['virtual'],
  fallback: 'SingleLineText',
  // Buttons cannot be filtered.
  operators: [],
  options: {
    schema: {
      type: 'object',
      properties: {
        action: { enum: ['link', 'run'], default: 'link' },
        label: { type: 'string', maxLength: 60, default: '' },
        color: { enum: [...buttonColors], default: 'primary' },
        icon: { enum: [...buttonIcons], default: '' },
        formula: { type: 'string', maxLength: 30_000, default: '' },
        operation: { type: 'string', maxLength: 200, default: '' },
        choice: { type: 'string', maxLength: 200, default: '' },
        gone: { type: 'object', default: {} },
      },
    },
    defaults,
  },
  order: 84,
  hasOrder: false,
  editable: false,
  parse: (input) => ({ ok: true, value: typeof input === 'string' && input !== '' ? input : null }),
  format: (value) => (value === null ? '' : String(value)),
  examples: [],
  width: 140,
});

/** An operation for buttons, in answers. */
export interface ButtonAct {
  readonly id: string;
  readonly label: string;
  /** For an operation with choices: what they are. */
  readonly choice_label?: string;
}
