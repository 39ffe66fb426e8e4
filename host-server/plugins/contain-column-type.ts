import { isExpected, type BudgetSubject } from '@trellis/core';
import type { ServerColumnType } from '@trellis/sdk/server';
import { checkedRead, checkedReason, checkedText } from '@trellis/sdk/shared';
import type { PluginErrors } from '../runtime/tokens.ts';
import { schemaErrors } from '../schema/schema-errors.ts';

/**
 * The type as everybody calls it: an answer that is none, and whatever it throws, is charged to its plugin, and refused with 500
 * `COLUMN_TYPE_FAILED` wherever it was asked for: in a write, a filter, an export or a conversion. So it counts against nobody who asks.
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
    // Cells come by the thousand, so a call makes no function of its own.
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
  // A type may be of a class, whose methods are not its own.
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
