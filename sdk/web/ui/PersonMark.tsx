import { useState, type ReactNode } from 'react';

/** What a `PersonMark` shows. @public */
export interface PersonMarkProps {
  readonly name: string;
  /** Where the person's picture is read; without one, or where it cannot be read, the mark has the first letter of the name. */
  readonly picture?: string | null;
  /** Somebody who is invited and not here yet. */
  readonly isInvited?: boolean;
  /** Somebody who cannot come in. */
  readonly isMuted?: boolean;
}

/** The round mark before a person in a list; their name stands beside it for who cannot see the mark. @public */
export function PersonMark(props: PersonMarkProps): ReactNode {
  const { name, picture, isInvited = false, isMuted = isInvited } = props;
  const [broken, setBroken] = useState<string>();
  if (picture && picture !== broken)
    return (
      <span className="tr-person-mark" data-muted={isMuted} aria-hidden="true">
        <img src={picture} alt="" onError={() => setBroken(picture)} />
      </span>
    );
  return (
    <span className="tr-person-mark" data-muted={isMuted} aria-hidden="true">
      {isInvited ? <i className="pi pi-envelope" /> : Array.from(name)[0]}
    </span>
  );
}
