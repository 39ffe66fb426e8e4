import type { DidSpec } from '../shared/index.ts';
import type { LiveEvent } from '../shared/index.ts';

/** The browser's hooks. Plugins add theirs by declaration merging. @public */
export interface WebHooks {
  /** After a person signed in or the session was restored. */
  'session.didStart': DidSpec<{ readonly userId: string }>;
  /** After sign-out, also a forced one. */
  'session.didEnd': DidSpec<{ readonly reason: 'signedOut' | 'expired' }>;
  /** After an event of the live channel arrived, before anybody's cache is refreshed. */
  'live.didReceive': DidSpec<LiveEvent>;
  'projects.didOpen': DidSpec<{ readonly projectId: string }>;
}
