import type { ComponentType } from 'react';

/** A page of the hash router. @public */
export interface WebRoute {
  readonly id: string;
  /** react-router's pattern: `/nc/:projectId`. */
  readonly path: string;
  /** Best a `lazyPart`: the host fetches its code before it draws the page. */
  readonly Component: ComponentType;
  /** Who may see it; guests are sent to sign in. Default `signedIn`. */
  readonly access?: 'everyone' | 'guest' | 'signedIn' | 'superAdmin';
  /** An id of the `layouts` registry. Default `default`. */
  readonly layout?: string;
  /** The document's title. */
  readonly title?: string;
  /** Whether the page is drawn where other sites frame it, as far as a `FramedPage` of the server's half lets them. Default false. */
  readonly framed?: boolean;
  /** False gives the 404 page. */
  validate?(params: Readonly<Record<string, string | undefined>>): boolean;
}

/** A frame around pages. @public */
export interface WebLayout {
  readonly id: string;
  readonly Component: ComponentType<{ readonly children: React.ReactNode }>;
}
