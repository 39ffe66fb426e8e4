import type { Admission, ColumnTypeServerPart } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import { addressesOf } from '../shared/index.ts';
import type { Members } from './members.ts';

const addressesIn = (value: CellValue): readonly string[] =>
  typeof value === 'string' ? addressesOf(value) : [];

/** Refuses people who are neither in the project nor in the cell already. */
export function admitPeople(members: Members): NonNullable<ColumnTypeServerPart['admit']> {
  return async (writes, { scope }) => {
    const known = new Set((await members(scope.projectId ?? '')).map(({ email }) => email));
    const answers: Admission[] = [];
    for (const { value, former } of writes) {
      const strangers = addressesIn(value).filter((address) => !known.has(address));
      const kept = strangers.length === 0 ? [] : addressesIn(await former());
      const stranger = strangers.find((address) => !kept.includes(address));
      answers.push(
        stranger === undefined
          ? { value }
          : { refused: `names ${stranger}, who is no member of this project` },
      );
    }
    return answers;
  };
}
