import type { ComponentType } from 'react';

/** A page of the hash router. @public */
export interface WebRoute {
  readonly id: string;
  /** react-router's pattern: `/nc/:projectId`. */
  readonly path: string;
  /** Preferably a `lazyPart`: the host loads its code before it draws the page. */
  readonly Component: ComponentType;
  /** Who may open it; guests are sent to the sign-in page. Default `signedIn`. */
  readonly access?: 'everyone' | 'guest' | 'signedIn' | 'superAdmin';
  /** An id of the `layouts` registry. Default `default`. */
  readonly layout?: string;
  /** The document's title. */
  readonly title?: string;
  /** Whether the page can be drawn in a frame of another site, if a `FramedPage` of the server half allows that. Default false. */
  readonly framed?: boolean;
  /** False shows the 404 page. */
  validate?(params: Readonly<Record<string, string | undefined>>): boolean;
}

/** A frame around pages. @public */
export interface WebLayout {
  readonly id: string;
  readonly Component: ComponentType<{ readonly children: React.ReactNode }>;
}
