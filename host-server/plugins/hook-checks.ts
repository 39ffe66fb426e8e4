import { isRecord } from '@trellis/core';
import type { RowInput } from '@trellis/sdk/server';

/** What is wrong with a handler's result, as the end of "'guard' in hook 'rows.willCreate' ..."; undefined when it fits. */
type Problem = string | undefined;

interface RowChange {
  readonly key: string;
  readonly values: RowInput;
}

/** For rows that are about to be written: the same number, each with at least the cells that it had. */
export function checkRows(given: readonly RowInput[], returned: unknown): Problem {
  return checkEach(given, returned, 'rows', (row, of) => checkCells(row, of));
}

/** For changes that are about to be written: of the same rows in the same order, each with at least the cells that it had. */
export function checkRowChanges(given: readonly RowChange[], returned: unknown): Problem {
  return checkEach(given, returned, 'changes', ({ key, values }, of) => {
    if (!isRecord(of)) return 'is no { key, values }';
    if (of.key !== key) return `is about the key '${String(of.key)}' in place of '${key}'`;
    return checkCells(values, of.values);
  });
}

/** For keys of rows that are about to be deleted: a handler may refuse the deletion, but not choose other rows. */
export function checkKeys(given: readonly string[], returned: unknown): Problem {
  const isSame =
    Array.isArray(returned) &&
    returned.length === given.length &&
    given.every((key, at) => key === returned[at]);
  return isSame ? undefined : 'returned other keys; return undefined, or throw a Veto to keep rows';
}

/** For the input of something that somebody wants to create. */
export function checkInput(_given: object, returned: unknown): Problem {
  return isRecord(returned)
    ? undefined
    : `returned ${describe(returned)}; return an object like the one it was given`;
}

/** For the storage of a file. */
export function checkPlacement(given: object, returned: unknown): Problem {
  return checkInput(given, returned) ?? checkId('place', returned);
}

/** For the sender of a mail. */
export function checkChoice(given: object, returned: unknown): Problem {
  return checkInput(given, returned) ?? checkId('by', returned);
}

function checkId(key: string, returned: unknown): Problem {
  const id = (returned as Readonly<Record<string, unknown>>)[key];
  return id === undefined || typeof id === 'string'
    ? undefined
    : `returned ${describe(id)} as '${key}'; it is the id of an adapter`;
}

function checkEach<Item>(
  given: readonly Item[],
  returned: unknown,
  what: string,
  check: (item: Item, of: unknown) => Problem,
): Problem {
  if (!Array.isArray(returned)) return `returned ${describe(returned)}; return the ${what}`;
  if (returned.length !== given.length)
    return `returned ${returned.length} of ${given.length} ${what}; return as many as there were, or throw a Veto to refuse`;
  for (const [index, item] of given.entries()) {
    const problem = returned[index] === item ? undefined : check(item, returned[index]);
    if (problem !== undefined) return `returned ${what} of which number ${index + 1} ${problem}`;
  }
  return undefined;
}

function checkCells(given: RowInput, returned: unknown): Problem {
  if (returned === given) return undefined;
  if (!isRecord(returned)) return 'is no object of values by column title';
  const missing = Object.keys(given).find((title) => !Object.hasOwn(returned, title));
  return missing === undefined
    ? undefined
    : `has lost '${missing}'; return each row whole ({ ...row, ... }), with null for an empty cell`;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
