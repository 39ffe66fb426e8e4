import { useState, type ReactNode } from 'react';

/** The props of a `PersonMark`. @public */
export interface PersonMarkProps {
  readonly name: string;
  /** The address of the person's picture; without one, or if it cannot be loaded, the first letter of the name is shown. */
  readonly picture?: string | null;
  /** An invited person who has not joined. */
  readonly isInvited?: boolean;
  /** A person without access. */
  readonly isMuted?: boolean;
}

/** The round mark before a person in a list; their name is beside it for people who cannot see the mark. @public */
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
