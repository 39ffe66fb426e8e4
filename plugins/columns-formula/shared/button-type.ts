import { defineColumnType } from '@trellis/sdk/shared';

/** Colours of a button, as the theme has them. */
export const buttonColors = ['primary', 'success', 'warning', 'danger', 'secondary'] as const;
/** Names of the icon font that a button may wear. */
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

/** What a button column keeps. */
export type ButtonOptions = {
  /** `link` opens the address that the formula gives; `run` has an operation of a plugin done for the row. */
  readonly action: 'link' | 'run';
  /** Empty for the column's title. */
  readonly label: string;
  readonly color: (typeof buttonColors)[number];
  readonly icon: (typeof buttonIcons)[number];
  /** With the ids of columns, as in formula columns; empty for `run`. */
  readonly formula: string;
  /** The id of an operation; empty for `link`. */
  readonly operation: string;
  /** The id of what the operation works with; empty where it has nothing to choose. */
  readonly choice: string;
  /** What columns were called that the formula names and that were deleted, by id. */
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
  // There is nothing to look for in buttons.
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

/** An act that can be put on buttons, as it travels. */
export interface ButtonAct {
  readonly id: string;
  readonly label: string;
  /** For an act that works with one of several things: what they are. */
  readonly choice_label?: string;
}
