/** The possible problems of a formula. */
const problemWords = {
  tooLong: 'A formula has at most {{limit}} characters',
  tooLongWithIds:
    'A formula is kept with the ids of its columns in place of their titles. So it has {{given}} characters: at most {{limit}}',
  unexpected: 'Unexpected "{{found}}" at character {{position}}: formulas have no such sign',
  tooManyDigits: 'The number at character {{position}} has too many digits: at most {{limit}}',
  unclosedText: 'Unclosed {{quote}} at character {{position}}',
  unstorable: 'The text at character {{position}} has a character that cannot be stored',
  unclosedColumn: 'Unclosed } at character {{position}}',
  unclosedBracket: 'Unclosed ( at character {{position}}',
  tooManyParts: 'A formula has at most {{limit}} parts',
  tooDeep: 'The formula is nested deeper than {{limit}} levels',
  unexpectedValue: 'Unexpected "{{found}}" at character {{position}}: a value is expected here',
  unexpectedEnd: 'Unexpected "{{found}}" at character {{position}}: an operator or the end is expected here',
  unexpectedComma: 'Unexpected "{{found}}" at character {{position}}: a comma or a bracket is expected here',
  endsAtValue: 'The formula ends where a value is expected',
  endsAtEnd: 'The formula ends where an operator is expected',
  endsAtComma: 'The formula ends where a bracket is expected',
  columnWithoutValues: "The column '{{column}}' has no values that a formula can read",
  columnOfSeveral:
    "A cell of '{{column}}' may hold several values: put it into one of {{functions}}, which take them",
  noColumn: "There is no column '{{column}}'",
  columnDeleted: "Column '{{column}}' was deleted",
  signTakes: 'The sign {{operator}} takes: {{expected}}. This is: {{given}}',
  functionTakes:
    'Argument {{place}} of {{function}}, "{{parameter}}", takes: {{expected}}. This is: {{given}}',
  functionTakesOneOf:
    'Argument {{place}} of {{function}}, "{{parameter}}", takes in quotes one of: {{list}}. This is: {{given}}',
  functionTakesQuoted:
    'Argument {{place}} of {{function}}, "{{parameter}}", takes a text in quotes. This is: {{given}}',
  noColumnOfType: '{{function}} needs a column of the type “{{type}}” in this table: add one',
  noFunction: 'There is no function {{function}}',
  noFunctionOfName: 'There is no function {{function}}: {{other}} does that',
  functionGone: 'The function {{function}} is missing: the plugin that brings it is switched off',
  functionFailed: 'The function {{function}} failed; the plugin that brings it has a fault',
  otherArguments: '{{function}} takes: {{signature}}. Arguments that were given: {{number}}',
  formatNotRead:
    '{{function}} cannot read "{{part}}": it reads YYYY, MMMM, MMM, MM, M, DD, D, HH, H, hh, h, mm, ss and A',
  formatTwice: 'The format of {{function}} has the same part twice: "{{part}}"',
  formatNeeds: 'The format of {{function}} needs "{{part}}"',
  formatRunsOn:
    'In the format of {{function}}, "{{part}}" has one digit or two: no digit can stand behind it',
  patternUnknown: 'Not all databases understand "{{part}}" in a pattern',
  patternUnclosed: 'Unclosed "{{part}}" in the pattern',
  patternNothingToRepeat: 'Nothing stands before "{{part}}" in the pattern that could be repeated',
  patternRange: '"{{part}}" in the pattern is out of order or too large',
  patternAnchor: 'In a pattern, ^ stands at its very beginning and $ at its very end, around all of it',
  patternTooLong: 'The pattern is too long',
  patternEmpty: 'The pattern, or a part of it, would be found where nothing stands',
  patternAmbiguous:
    'Two parts of the pattern could take the same character "{{part}}" at the same place; databases would find different texts',
  numbersAndDates:
    '{{function}} takes numbers or dates, and not both. Argument {{first}} is: {{expected}}. Argument {{place}} is: {{given}}',
} as const;

export type ProblemCode = keyof typeof problemWords;

/** A problem of a formula: a key of the messages with its values, and the position. */
export interface FormulaProblem {
  /** English, with `{{name}}` for values: the key of the translations. */
  readonly message: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** The position in the text, from 0; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A part of a formula's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The only error that the tokenizer, the parser and the checker throw. */
export class FormulaError extends Error {
  readonly code: ProblemCode;
  readonly problem: FormulaProblem;

  constructor(code: ProblemCode, { start, end }: Span, values: FormulaProblem['values'] = {}) {
    const problem = { message: problemWords[code], values, start, end };
    super(problemText(problem));
    this.code = code;
    this.problem = problem;
  }
}

/** The problem of a formula that could be saved earlier: the functions that it calls existed then. */
export function asSaved(error: FormulaError): FormulaError {
  const { code, problem } = error;
  return code === 'noFunction' || code === 'noFunctionOfName'
    ? new FormulaError('functionGone', problem, problem.values)
    : error;
}

/** The problem in English. */
export function problemText({ message, values }: FormulaProblem): string {
  return message.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
