import type { Translate } from '@trellis/sdk/web';
import type { AnswerProblem } from '../shared/index.ts';

/** What is wrong with an answer, in words for whoever gives it. */
export function problemText({ kind, limit = 0, message, type = '' }: AnswerProblem, t: Translate): string {
  if (message !== undefined) return message;
  switch (kind) {
    case 'missing':
      return t('Please answer this.');
    case 'low':
      return t('Must be {{limit}} or more.', { limit });
    case 'high':
      return t('Must be {{limit}} or less.', { limit });
    case 'short':
      return t('Must have {{limit}} characters or more.', { limit });
    case 'long':
      return t('Must have {{limit}} characters or less.', { limit });
    case 'invalid':
      return t('Please give a valid value: {{type}}.', { type: t(type) });
    case 'pattern':
      return t('Does not have the form that is asked for.');
  }
}
