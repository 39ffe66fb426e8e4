import type { Admission, ColumnTypeServerPart } from '@trellis/sdk/server';
import type { CellValue } from '@trellis/sdk/shared';
import { addressesOf } from '../shared/index.ts';
import type { Members } from './members.ts';

const addressesIn = (value: CellValue): readonly string[] =>
  typeof value === 'string' ? addressesOf(value) : [];

async function addressesOfMembers(members: Members, projectId: string): Promise<ReadonlySet<string>> {
  return new Set((await members(projectId)).map(({ email }) => email));
}

/** Refuses people who are neither members of the project nor already in the cell. */
export function admitPeople(members: Members): NonNullable<ColumnTypeServerPart['admit']> {
  return async (writes, { scope }) => {
    const known = await addressesOfMembers(members, scope.projectId ?? '');
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

/** Keeps the project's members among the people that a column named in another form, such as texts. */
export function adoptPeople(members: Members): NonNullable<ColumnTypeServerPart['adopt']> {
  return async (values, { projectId }) => {
    const known = await addressesOfMembers(members, projectId);
    return values.map((value) => {
      const named = addressesIn(value);
      const kept = named.filter((address) => known.has(address));
      return { value: kept.length === 0 ? null : kept.join(','), lost: kept.length < named.length };
    });
  };
}
