import { defineWebPlugin } from '@trellis/sdk/web';
import { FramedPage } from './FramedPage.tsx';
import { QuietFrame } from './QuietFrame.tsx';
import { type Heard, HeardList } from './heard-list.ts';

export default defineWebPlugin({
  setup(ctx) {
    // Made by `setup`, so that nothing of it stays when the plugin is switched off.
    const heard = new HeardList();
    const note = (what: Heard) => heard.add(what);
    ctx.tap('session.didStart', () => note('session began'));
    ctx.tap('session.didEnd', ({ reason }) => note(reason === 'expired' ? 'session expired' : 'signed out'));
    ctx.tap('projects.didOpen', () => note('project opened'));
    ctx.tap('live.didReceive', ({ kind }) => note(`live: ${kind}`));

    ctx.register('layouts', { id: 'acme-frame', Component: QuietFrame });
    ctx.register('routes', {
      id: 'acme-frame',
      path: '/acme-frame',
      layout: 'acme-frame',
      title: 'Heard',
      Component: () => <FramedPage heard={heard} />,
    });
  },
});
