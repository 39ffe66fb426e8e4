import { defineViewType, type FilterNode, type JsonSchema } from '@trellis/sdk/shared';

/** The stored options of a form. */
export type FormOptions = {
  readonly heading: string;
  readonly description: string;
  /** The address of the picture over the form; empty for none. */
  readonly bannerUrl: string;
  readonly logoUrl: string;
  readonly submitLabel: string;
  readonly successMessage: string;
  /** The address that opens after the form was sent; empty for none. Begins with `https://`. */
  readonly redirectUrl: string;
  readonly submitsAnother: boolean;
  /** Whether an empty form appears five seconds after one was sent. */
  readonly showsBlank: boolean;
  /** The recipients of a mail about each answer; the value says whether it is sent. Visitors do not learn them. */
  readonly emails: Readonly<Record<string, boolean>>;
  /** ISO texts of moments; empty for no such limit. */
  readonly opensAt: string;
  readonly closesAt: string;
  /** The most answers by the link; 0 for any number. */
  readonly mostAnswers: number;
  readonly oncePerPerson: boolean;
  /** The most answers of one network address in a minute. */
  readonly mostPerMinute: number;
};

/** The stored options of a form's column. */
export type FieldOptions = {
  /** Replaces the column's title unless empty. */
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  /** The message for a missing answer; empty, like all messages, for a default text. */
  readonly requiredMessage: string;
  /** Minimum and maximum: of the number, or of a text's length; null for none. */
  readonly least: number | null;
  readonly most: number | null;
  /** The first and the last valid day, or moment in UTC; empty for none. */
  readonly earliest: string;
  readonly latest: string;
  /** The messages for an answer below the minimum or before the earliest, and above the maximum or after the latest. */
  readonly leastMessage: string;
  readonly mostMessage: string;
  /** A regular expression that the whole text must match; empty for none. */
  readonly pattern: string;
  /** The message for an answer that does not match. */
  readonly patternMessage: string;
  /** The field is asked only while this is met; empty for always. */
  readonly condition: readonly FilterNode[];
  /** A heading over the field. */
  readonly section: string;
  /** Whether a page of the form begins with the field. */
  readonly startsPage: boolean;
  /** Whether the field is invisible: its value comes from the page's address. */
  readonly hidden: boolean;
  /**
   * Whether only owners and creators are asked: others do not learn of the field, and values that visitors send for it are dropped.
   */
  readonly creatorsOnly: boolean;
};

/** The most bytes of a banner or a logo; the page reduces it before sending. */
export const mostPictureBytes = 1024 * 1024;
/** The prefix of addresses of pictures that were uploaded for forms. */
export const picturePath = '/api/v1/db/public/form-pictures/';
/** The pictures of a form, with the options for their addresses. */
export const pictureOptions = { banner: 'bannerUrl', logo: 'logoUrl' } as const;
export type PicturePlace = keyof typeof pictureOptions;

const hidden = { 'x-ui': { hidden: true } } as const;

function text(title: string, maxLength: number, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', title, maxLength, default: '', ...hidden, ...more };
}

function flag(title: string): JsonSchema {
  return { type: 'boolean', title, default: false, ...hidden };
}

/** A day, or a moment in UTC. */
const moment = '^(\\d{4}-\\d\\d-\\d\\d(T[\\d:.]+Z)?)?$';
const secure = { pattern: '^(https://\\S+)?$' };
/** A path segment that leads to the parent folder: `..` and what browsers treat like it. */
const climbing = '(?:^|[/\\\\])(?:\\.|%2[eE]){2}(?:[/\\\\?#]|$)';
/**
 * A picture of ours, or one elsewhere, which the v1 API accepts but pages do not show, since they load nothing from other sites.
 */
const picture = { pattern: `^(?!.*${climbing})((https://|/?dl/|/?download/|${picturePath})\\S+)?$` };

/** The view type `form`. */
export const formView = defineViewType({
  id: 'form',
  label: 'Form',
  optionsPermission: 'viewUpdate',
  options: {
    type: 'object',
    properties: {
      heading: text('Title', 255),
      description: text('Description', 4000),
      bannerUrl: text('Banner', 2000, picture),
      logoUrl: text('Logo', 2000, picture),
      submitLabel: text('Text of the button', 80),
      successMessage: text('Message after submitting', 4000),
      redirectUrl: text('Go to this address after submitting', 2000, secure),
      submitsAnother: flag('Show "Submit another form"'),
      showsBlank: flag('Show a blank form after 5 seconds'),
      emails: {
        type: 'object',
        title: 'Mail for each answer',
        propertyNames: { maxLength: 255 },
        additionalProperties: { type: 'boolean' },
        maxProperties: 50,
        default: {},
        ...hidden,
      },
      opensAt: text('Opens', 40, { pattern: '^(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z)?$' }),
      closesAt: text('Closes', 40, { pattern: '^(\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z)?$' }),
      mostAnswers: { type: 'integer', title: 'Limit of answers', minimum: 0, default: 0, ...hidden },
      oncePerPerson: flag('One answer per person'),
      mostPerMinute: {
        type: 'integer',
        title: 'Answers from one address in a minute',
        minimum: 1,
        maximum: 3600,
        default: 60,
        ...hidden,
      },
    },
  },
  columnOptions: {
    type: 'object',
    properties: {
      label: text('Label', 255),
      help: text('Help text', 2000),
      required: flag('Required'),
      requiredMessage: text('Message when it is missing', 500),
      least: { type: ['number', 'null'], title: 'At least', default: null, ...hidden },
      most: { type: ['number', 'null'], title: 'At most', default: null, ...hidden },
      earliest: text('Earliest', 40, { pattern: moment }),
      latest: text('Latest', 40, { pattern: moment }),
      leastMessage: text('Message below the least', 500),
      mostMessage: text('Message above the most', 500),
      pattern: text('Pattern', 200),
      patternMessage: text('Message when it does not match', 500),
      condition: {
        type: 'array',
        title: 'Show only when',
        items: { type: 'object' },
        maxItems: 20,
        default: [],
        ...hidden,
      },
      section: text('Heading over the field', 255),
      startsPage: flag('Begins a page'),
      hidden: flag('Hidden: filled in by the address'),
      creatorsOnly: flag('For owners and creators alone'),
    },
  },
  movedColumnOptions(options, { filters }) {
    const { condition = [] } = options as Partial<FieldOptions>;
    return condition.length === 0 ? options : { ...options, condition: filters(condition) };
  },
  sharing: {
    visitors: 'submit',
    word: 'form',
    isForVisitors: ({ creatorsOnly }) => creatorsOnly !== true,
    publicOptions: ({ emails: _emails, ...told }) => told,
    publicColumnOptions: (options, isSeen) => ({
      ...options,
      condition: toldCondition(fieldOptions(options).condition, isSeen),
    }),
    knowsSenders: ({ oncePerPerson }) => oncePerPerson === true,
  },
});

/**
 * The columns that a condition uses.
 *
 * @param nodes as stored: invalid filters use none
 */
export function columnsAsked(nodes: unknown): readonly string[] {
  if (!Array.isArray(nodes)) return [];
  return (nodes as readonly ({ readonly columnId?: unknown; readonly children?: unknown } | null)[]).flatMap(
    (node) => [
      ...(typeof node?.columnId === 'string' ? [node.columnId] : []),
      ...columnsAsked(node?.children),
    ],
  );
}

/** Replaces conditions on columns that a visitor does not see by ones on a column that does not exist, which decide as little. */
function toldCondition(
  nodes: FieldOptions['condition'],
  isSeen: (columnId: string) => boolean,
): FieldOptions['condition'] {
  return nodes.map((node) => {
    if (node.kind === 'group') return { ...node, children: toldCondition(node.children, isSeen) };
    return isSeen(node.columnId) ? node : { ...node, columnId: '', operator: 'eq', value: null };
  });
}

function filled<Options>(
  { properties }: { readonly properties: Readonly<Record<string, JsonSchema>> },
  kept: unknown,
) {
  const defaults = Object.entries(properties).map(([name, { default: value }]) => [name, value] as const);
  return { ...Object.fromEntries(defaults), ...(kept as object | null | undefined) } as Options;
}

/** The options of a form, with defaults. */
export function formOptions(kept: Readonly<Record<string, unknown>> | null | undefined): FormOptions {
  return filled(formView.options, kept);
}

/** The options of a form's column, with defaults. */
export function fieldOptions(kept: Readonly<Record<string, unknown>> | null | undefined): FieldOptions {
  return filled(formView.columnOptions, kept);
}

export { answerProblems, limitValue, type AnswerField, type AnswerProblem } from './answers.ts';
export { checkPattern } from './patterns.ts';

/** Whether a comparison only tests whether there are links: which rows they lead to is unknown before the row exists. */
export function asksOfLinks(operator: string): boolean {
  return ['notblank', 'blank', 'notempty', 'empty', 'notnull', 'null'].includes(operator);
}

/**
 * Whether people may be redirected to an address: it has no user name before its host, which could look like the site, and cannot
 * break out of mark-up.
 */
export function isPlainAddress(text: string): boolean {
  return /^https:\/\/[^\s"'`<>\\@/?#]+(?:[/?#][^\s"'`<>\\]*)?$/.test(text);
}

/** Milliseconds that a person needs at least to read a form and answer it. The page sends nothing sooner. */
export const quickestAnswer = 1000;
