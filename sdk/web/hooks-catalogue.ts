import type { HookDefinition } from '@trellis/core';
import type { DidSpec, LiveEvent, WaterfallSpec } from '../shared/index.ts';

/** The hooks that the page's host itself calls. @public */
export interface HostWebHooks {
  /**
   * Before each request, and before the live channel is opened (path `/live`): the headers to send. A plugin that adds one decides
   * by the path. The live channel accepts only headers that begin with `xc-`, at most five.
   */
  'api.willSend': WaterfallSpec<
    Readonly<Record<string, string>>,
    { readonly method: string; readonly path: string }
  >;
  /** After a person signed in or the session was restored. */
  'session.didStart': DidSpec<{ readonly userId: string }>;
  /** After sign-out, also a forced one. */
  'session.didEnd': DidSpec<{ readonly reason: 'signedOut' | 'expired' }>;
  /** After an event of the live channel arrived, before caches are refreshed. */
  'live.didReceive': DidSpec<LiveEvent>;
  'projects.didOpen': DidSpec<{ readonly projectId: string }>;
}

/** The page's hooks by id. A plugin adds its own hooks (`ctx.hooks.define`) by declaration merging. @public */
export interface WebHooks extends HostWebHooks {}

/** Kind, policy and meaning of each hook of the browser's host. @internal */
export const webHookDefinitions: {
  readonly [Id in keyof HostWebHooks]: Omit<HookDefinition<HostWebHooks[Id]['kind']>, 'id'>;
} = {
  'api.willSend': {
    kind: 'waterfall',
    policy: 'contain',
    description: 'Before each request to the server; returns the headers that go out with it.',
  },
  'session.didStart': {
    kind: 'did',
    policy: 'contain',
    description: 'After a person signed in or the session was restored.',
  },
  'session.didEnd': { kind: 'did', policy: 'contain', description: 'After sign-out, also a forced one.' },
  'live.didReceive': {
    kind: 'did',
    policy: 'contain',
    description: "After an event of the live channel arrived, before anybody's cache is refreshed.",
  },
  'projects.didOpen': {
    kind: 'did',
    policy: 'contain',
    description: 'After the workspace of a project was opened.',
  },
};
