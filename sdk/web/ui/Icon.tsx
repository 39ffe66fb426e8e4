import type { ReactNode } from 'react';
import { isEmoji } from '../../shared/index.ts';

/** An icon beside words that say the same. @public */
export interface IconProps {
  /** A name of the icon font without its prefix, or an emoji. */
  readonly name: string;
  readonly className?: string;
}

/** An icon of the icon font, or an emoji in its place; screen readers pass over it. @public */
export function Icon({ name, className = '' }: IconProps): ReactNode {
  return isEmoji(name) ? (
    <span className={`tr-emoji ${className}`} aria-hidden="true">
      {name}
    </span>
  ) : (
    <i className={`pi pi-${name} ${className}`} aria-hidden="true" />
  );
}
