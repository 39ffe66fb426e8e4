import type { ReactNode } from 'react';
import { isEmoji } from '../../shared/index.ts';

/** The props of an icon beside text with the same meaning. @public */
export interface IconProps {
  /** A name of the icon font without its prefix, or an emoji. */
  readonly name: string;
  readonly className?: string;
}

/** An icon of the icon font, or an emoji in its place; hidden from screen readers. @public */
export function Icon({ name, className = '' }: IconProps): ReactNode {
  return isEmoji(name) ? (
    <span className={`tr-emoji ${className}`} aria-hidden="true">
      {name}
    </span>
  ) : (
    <i className={`pi pi-${name} ${className}`} aria-hidden="true" />
  );
}
