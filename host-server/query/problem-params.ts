import { TrellisError, type ErrorParams } from '@trellis/core';
import { refusalText, type Refusal } from '@trellis/sdk/shared';

/** The params of an error whose text contains the text of another one as `{problem}`. */
export interface ProblemParams extends ErrorParams {
  /** The other error's text in English. */
  readonly problem: string;
}

/**
 * The problem in English, and what a page needs to translate it. For an error this is its code along with its params; for a
 * refusal it is the message key, and the params are kept apart because a plugin names them.
 */
export function problemParams(why: Refusal | TrellisError): ProblemParams {
  if (why instanceof TrellisError) return { ...why.params, problem: why.message, problemCode: why.code };
  const { message, params } = why;
  if (params === undefined) return { problem: message };
  return { problem: refusalText(why), problemMessage: message, problemParams: params };
}
