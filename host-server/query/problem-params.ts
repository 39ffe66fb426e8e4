import { TrellisError, type ErrorParams } from '@trellis/core';
import { refusalText, type Refusal } from '@trellis/sdk/shared';

/** The params of an error whose text holds another one as `{problem}`. */
export interface ProblemParams extends ErrorParams {
  /** In English. */
  readonly problem: string;
}

/**
 * The problem in English, and what a page needs to say it in its language. Of an error that is its code, beside its params; of a refusal
 * its message, and its params by themselves, since a plugin names them.
 */
export function problemParams(why: Refusal | TrellisError): ProblemParams {
  if (why instanceof TrellisError) return { ...why.params, problem: why.message, problemCode: why.code };
  const { message, params } = why;
  if (params === undefined) return { problem: message };
  return { problem: refusalText(why), problemMessage: message, problemParams: params };
}
