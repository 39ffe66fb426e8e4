import { isExpected, type BudgetSubject } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import { checkedRead, checkedReason, checkedText } from '@trellis/sdk/shared';
import type { PluginErrors } from '../runtime/tokens.ts';
import { schemaErrors } from '../schema/schema-errors.ts';

/**
 * Wraps a column type for all callers. An invalid answer or an error of the type is charged to its plugin and becomes 500
 * `COLUMN_TYPE_FAILED` in any write, filter, export or conversion, so that it does not count against the caller.
 */
export function containColumnType(
  type: ServerColumnType,
  subject: BudgetSubject,
  errors: PluginErrors,
): ServerColumnType {
  function contained<One, Other, Answer>(
    ask: (one: One, other: Other) => Answer,
    check: (answer: Answer) => Answer,
  ) {
    // Cells come by the thousand, so a call creates no closure.
    return (one: One, other: Other): Answer => {
      try {
        return check(ask(one, other));
      } catch (error) {
        if (isExpected(error)) throw error;
        errors.charge(subject, error);
        throw schemaErrors.create('COLUMN_TYPE_FAILED', { type: type.label }, error);
      }
    };
  }

  const { parse, format, validate, checkOptions, valuesInOrder, sheetNumber } = methodsOf(type);
  // A type may be an instance of a class, whose methods are inherited.
  return Object.assign(Object.create(Object.getPrototypeOf(type) as object) as ServerColumnType, type, {
    parse: contained(parse, checkedRead),
    format: contained(format, checkedText),
    ...(validate && { validate: contained(validate, (reason) => checkedReason('validate', reason)) }),
    ...(checkOptions && {
      checkOptions: contained(checkOptions, (reason) => checkedReason('checkOptions', reason)),
    }),
    ...(sheetNumber && {
      sheetNumber: contained(sheetNumber, (as) => ({ ...as, format: checkedText(as.format) })),
    }),
    ...(valuesInOrder && { valuesInOrder: contained(valuesInOrder, (values) => values) }),
  });
}

function methodsOf(type: ServerColumnType) {
  return {
    parse: type.parse.bind(type),
    format: type.format.bind(type),
    validate: type.validate?.bind(type),
    checkOptions: type.checkOptions?.bind(type),
    valuesInOrder: type.valuesInOrder?.bind(type),
    sheetNumber: type.sheetNumber?.bind(type),
  };
}
