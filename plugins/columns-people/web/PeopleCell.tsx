import type { CellProps } from '@trellis/sdk/web';
import { addressesOf, type PeopleOptions } from '../shared/index.ts';
import { PersonChip } from './PersonChip.tsx';
import { personOf, usePeople } from './use-people.ts';

export function PeopleCell({ value, column }: Pick<CellProps<string, PeopleOptions>, 'value' | 'column'>) {
  const addresses = addressesOf(value);
  const { people, isKnown } = usePeople(addresses.length === 0 ? undefined : column.project_id);
  return (
    <span className="cpl-people">
      {addresses.map((email) => (
        <PersonChip
          key={email}
          person={personOf(people, email)}
          hasLeft={isKnown && people.every((person) => person.email !== email)}
        />
      ))}
    </span>
  );
}
