/** What is wrong with a formula, as a key of the messages with its values, and where. */
export interface FormulaProblem {
  /** English, with `{{name}}` for values: the key under which other languages have it. */
  readonly message: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** Where it is in the text, from 0; `end` is behind it. */
  readonly start: number;
  readonly end: number;
}

/** A part of a formula's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Thrown by the tokenizer, the parser and the checker, and by nothing else in them. */
export class FormulaError extends Error {
  readonly problem: FormulaProblem;

  constructor(message: string, { start, end }: Span, values: FormulaProblem['values'] = {}) {
    const problem = { message, values, start, end };
    super(problemText(problem));
    this.problem = problem;
  }
}

/** The problem in English. */
export function problemText({ message, values }: FormulaProblem): string {
  return message.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
