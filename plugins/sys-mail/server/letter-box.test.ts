import { expect, test } from '@jest/globals';
import { defineServerPlugin, SecretsToken, type Letter, type ServerPluginContext } from '@trellis/sdk/server';
import { createTestServer, testPlugin } from '@trellis/sdk/testing/server';
import sysMail from './index.ts';
import { LetterBox } from './letter-box.ts';

test('a letter on its way is not sent a second time because somebody chooses another sender meanwhile', async () => {
  let ctx: ServerPluginContext | undefined;
  const plugin = defineServerPlugin({
    ...(sysMail.migrations && { migrations: sysMail.migrations }),
    setup: (given) => void (ctx = given),
  });
  const server = await createTestServer({
    plugins: [testPlugin('letters-of-a-test', plugin, { contributes: { tables: ['letter'] } })],
  });
  try {
    if (ctx === undefined) throw new Error('The plugin was not set up.');
    const taken: string[] = [];
    let take: () => void = () => undefined;
    let refuse: (error: Error) => void = () => undefined;
    const box = new LetterBox({
      db: ctx.db,
      secrets: ctx.get(SecretsToken),
      logger: { warn: () => undefined },
      problemOf: () => ({ code: '', msg: '', params: {}, at: '' }),
      deliver: ({ subject }) =>
        new Promise<void>((resolve, reject) => {
          taken.push(subject);
          take = resolve;
          refuse = reject;
          began();
        }),
    });
    let began: () => void = () => undefined;
    const begun = () => new Promise<void>((resolve) => (began = resolve));
    const letter = (subject: string): Letter => ({ to: 'ann@example.com', subject, paragraphs: ['Hello'] });
    const { signal } = new AbortController();

    let begins = begun();
    const posting = box.post(letter('on its way'));
    await begins;
    await box.hurry();
    await box.sendDue(signal);
    expect(taken).toEqual(['on its way']);
    take();
    expect(await posting).toBe(true);

    begins = begun();
    const refused = box.post(letter('refused'));
    await begins;
    refuse(new Error('The key has expired.'));
    expect(await refused).toBe(false);
    await box.hurry();
    begins = begun();
    const sending = box.sendDue(signal);
    await begins;
    take();
    await sending;
    expect(taken).toEqual(['on its way', 'refused', 'refused']);
    expect(await box.waiting()).toBe(0);
  } finally {
    await server.dispose();
  }
});
