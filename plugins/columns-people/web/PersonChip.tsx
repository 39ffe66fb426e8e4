import { useT, type StyleWithVariables } from '@trellis/sdk/web';
import { hueOf, initialsOf, nameOf, type Person } from '../shared/index.ts';

interface PersonChipProps {
  readonly person: Person;
  /** Whether the person is known to have left the project. */
  readonly hasLeft: boolean;
}

/** A person: initials in their own colour, and the name. */
export function PersonChip({ person, hasLeft }: PersonChipProps) {
  const t = useT();
  const style: StyleWithVariables = { '--cpl-hue': hueOf(person.email) };
  const title = hasLeft
    ? t('{{email}}, no member of this project any more', { email: person.email })
    : person.email;
  return (
    <span className={hasLeft ? 'cpl-person cpl-person--left' : 'cpl-person'} title={title}>
      {/* The style sheet draws the initials, so that they are not part of the person's accessible name. */}
      <span className="cpl-avatar" style={style} data-initials={initialsOf(person)} aria-hidden="true" />
      <span className="cpl-name">{nameOf(person)}</span>
    </span>
  );
}
