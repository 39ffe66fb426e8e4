import type { CSSProperties } from 'react';

/** Colours of a theme: custom properties without their `--trellis-` prefix. @public */
export interface Theme {
  readonly id: string;
  readonly label: string;
  readonly light: Readonly<Record<string, string>>;
  readonly dark: Readonly<Record<string, string>>;
}

/** A language of the page. @public */
export interface Locale {
  readonly id: string;
  /** In the language itself: "Deutsch". */
  readonly label: string;
  /** The writing direction; `rtl` mirrors the page. Default `ltr`. */
  readonly dir?: 'ltr' | 'rtl';
}

/** Inline style with custom properties. @public */
export type StyleWithVariables = CSSProperties & Readonly<Record<`--${string}`, string | number>>;
