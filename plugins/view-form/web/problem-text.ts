import { showCell, type Translate } from '@trellis/sdk/web';
import { limitValue, type AnswerProblem } from '../shared/index.ts';
import type { PageField } from './form-fields.ts';

/** What is wrong with the answer to a field, in words for whoever gives it. */
export function problemText(problem: AnswerProblem, field: PageField, t: Translate): string {
  const { kind, message, type = '', said } = problem;
  if (message !== undefined) return message;
  const { limit: of = 0 } = problem;
  const limit = typeof of === 'string' ? showCell(limitValue(field, of), field.column, field.type) : of;
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
    case 'early':
      return t('Must be {{limit}} or later.', { limit });
    case 'late':
      return t('Must be {{limit}} or earlier.', { limit });
    case 'invalid':
      if (said !== undefined) return t('This {{problem}}.', { problem: t(said) });
      return t('Please give a valid value: {{type}}.', { type: t(type) });
    case 'pattern':
      return t('Does not have the form that is asked for.');
  }
}
