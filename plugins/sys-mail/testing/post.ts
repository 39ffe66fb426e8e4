import type { MailMessage } from '@trellis/sdk/server';
import { testPlugin, type TestPlugin } from '@trellis/sdk/testing/server';

/** A test's mail service: it keeps the mails that a server sends. */
export interface Post {
  /** Sends its server's mails. */
  readonly plugin: TestPlugin;
  readonly mails: readonly MailMessage[];
  /** Sets whether it is set up; initially true. */
  open(isOpen: boolean): void;
  /** The mails with a subject, when there are this many of them. */
  until(subject: string, count?: number): Promise<readonly MailMessage[]>;
}

export function openPost(): Post {
  const mails: MailMessage[] = [];
  let isSetUp = true;
  const waiting = new Set<() => void>();
  const plugin = testPlugin('post', (ctx) => {
    ctx.register('mailAdapters', {
      id: 'post',
      label: 'Post',
      isConfigured: () => isSetUp,
      async send(message) {
        mails.push(message);
        for (const wake of waiting) wake();
      },
      verify: async () => {},
    });
  });
  return {
    plugin,
    mails,
    open(isOpen) {
      isSetUp = isOpen;
    },
    until: (subject, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const found = mails.filter((mail) => mail.subject === subject);
          if (found.length < count) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}
