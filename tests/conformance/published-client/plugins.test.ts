import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { describeClient } from './ground.ts';

interface Plugin {
  readonly id: string;
  readonly title: string;
  readonly active: boolean;
  readonly input_schema: string | null;
  readonly input: string | null;
}

/** The fields of a plugin, as section 16 of the contract has them. */
const entityFields = (textOrNone: object) => ({
  id: { type: 'string' },
  title: { type: 'string' },
  description: { type: 'string' },
  active: { type: 'boolean' },
  rating: { type: 'null' },
  version: { type: 'string' },
  docs: textOrNone,
  status: { const: 'install' },
  status_details: textOrNone,
  logo: textOrNone,
  icon: textOrNone,
  tags: { type: 'string', pattern: '^[A-Z]' },
  category: { type: 'string', pattern: '^[A-Z]' },
  input_schema: textOrNone,
  input: textOrNone,
  creator: textOrNone,
  creator_website: textOrNone,
  price: { type: 'null' },
});

describeClient('plugins', ({ guest, signUp }) => {
  test('lists plugins, reads one, sets it up and says whether it is on', async () => {
    const api = await signUp();
    const { list } = (await api.plugin.list()) as unknown as { readonly list: readonly Plugin[] };
    const smtp = list.find(({ title }) => title === 'SMTP');
    // Nobody has set it up.
    expect(smtp).toMatchObject({ active: expect.any(Boolean), input: null });
    const id = smtp?.id ?? '';
    const read = (await api.plugin.read(id)) as unknown as Plugin;
    const form = JSON.parse(read.input_schema ?? '{}') as {
      readonly items: readonly { readonly key: string; readonly type: string }[];
    };
    expect(form.items).toContainEqual(expect.objectContaining({ key: 'host', type: 'SingleLineText' }));
    expect(form.items).toContainEqual(expect.objectContaining({ key: 'password', type: 'Password' }));

    const settings = {
      from: 'trellis@example.com',
      host: 'mail.example.com',
      port: 25,
      security: 'none',
      password: 'hush-hush',
    };
    const saved = (await api.plugin.update(id, {
      input: JSON.stringify(settings),
      active: true,
    } as never)) as unknown as Plugin;
    expect(saved.active).toBe(true);
    expect(JSON.parse(saved.input ?? '{}')).toMatchObject({ host: 'mail.example.com' });
    expect(saved.input).not.toContain('hush-hush');
    expect(await api.plugin.status('SMTP')).toBe(true);
    expect(await api.plugin.status('There is none')).toBe(false);
    // Whoever tests a server that nobody may reach is told so, and nothing of what is there.
    await expect(
      api.plugin.test({
        title: 'SMTP',
        category: 'Email',
        input: { ...settings, host: '169.254.169.254' },
      } as never),
    ).rejects.toMatchObject({ response: { status: 400, data: { msg: expect.any(String) } } });
    await expect(guest().plugin.list()).rejects.toMatchObject({ response: { status: 401 } });
  });

  test('tells of each plugin all that clients read of one, with categories as they write them', async () => {
    const api = await signUp();
    const { list } = (await api.plugin.list()) as unknown as { readonly list: readonly Plugin[] };
    const textOrNone = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const entity = {
      type: 'object',
      additionalProperties: false,
      required: Object.keys(entityFields(textOrNone)),
      properties: entityFields(textOrNone),
    };
    const check = new Ajv().compile({ type: 'array', minItems: 19, items: entity });
    check(list);
    expect(check.errors).toBeNull();
    const titled = (title: string) => list.find((of) => of.title === title);
    expect(titled('Slack')).toMatchObject({ category: 'Chat', tags: 'Chat', rating: null, price: null });
    expect(titled('S3')).toMatchObject({ category: 'Storage' });
    expect(titled('SMTP')).toMatchObject({ category: 'Email', status: 'install', status_details: null });
    expect(titled('Twilio')).toMatchObject({ category: 'Chat' });
  });

  test('takes the channels of a chat as the list of sets that clients send, and gives them back so', async () => {
    const api = await signUp();
    const { list } = (await api.plugin.list()) as unknown as { readonly list: readonly Plugin[] };
    const slack = list.find(({ title }) => title === 'Slack');
    const form = JSON.parse(slack?.input_schema ?? '{}') as object;
    expect(form).toEqual({
      title: 'Slack',
      array: true,
      items: [
        expect.objectContaining({ key: 'channel', type: 'SingleLineText', required: true }),
        expect.objectContaining({ key: 'webhook_url', type: 'Password', required: true }),
      ],
      actions: [{ label: 'Save', key: 'save', actionType: 'SUBMIT', type: 'Button' }],
      msgOnInstall: expect.any(String),
      msgOnUninstall: expect.any(String),
    });
    const channels = [
      { channel: 'sales', webhook_url: 'https://hooks.example.com/one' },
      { channel: 'support', webhook_url: 'https://hooks.example.com/two' },
    ];
    const id = slack?.id ?? '';
    const saved = (await api.plugin.update(id, {
      input: JSON.stringify(channels),
      active: true,
    } as never)) as unknown as Plugin;
    expect(saved.active).toBe(true);
    const masked = channels.map((of) => ({ ...of, webhook_url: '********' }));
    expect(JSON.parse(saved.input ?? '')).toEqual(masked);
    // As it was read it goes back, and nothing is lost.
    const again = (await api.plugin.update(id, saved as never)) as unknown as Plugin;
    expect(JSON.parse(again.input ?? '')).toEqual(masked);
    await expect(
      api.plugin.update(id, { input: JSON.stringify([{ channel: 'nowhere' }]) } as never),
    ).rejects.toMatchObject({
      response: { status: 400, data: { msg: expect.stringContaining('webhook_url') } },
    });
    // SMTP has no list that this could be.
    await expect(
      api.plugin.update('app-smtp', { input: JSON.stringify(channels) } as never),
    ).rejects.toMatchObject({ response: { status: 400, data: { msg: expect.stringContaining('list') } } });
    // What is sent for a test may be a list as well.
    await expect(
      api.plugin.test({
        title: 'Slack',
        category: 'Chat',
        input: [{ channel: 'sales', webhook_url: 'https://169.254.169.254/x' }],
      } as never),
    ).rejects.toMatchObject({ response: { status: 400, data: { msg: expect.any(String) } } });
  });

  test('takes SMTP by the names that clients know, also as texts, and gives them back so', async () => {
    const api = await signUp();
    const form = JSON.parse(
      ((await api.plugin.read('app-smtp')) as unknown as Plugin).input_schema ?? '{}',
    ) as { readonly items: readonly { readonly key: string; readonly required: boolean }[] };
    const asked = Object.fromEntries(form.items.map(({ key, required }) => [key, required]));
    expect(asked).toMatchObject({
      from: true,
      host: true,
      port: true,
      secure: false,
      ignoreTLS: false,
      rejectUnauthorized: false,
      username: false,
      password: false,
    });
    expect(form.items).toContainEqual(
      expect.objectContaining({ key: 'ignoreTLS', label: 'Ignore TLS', type: 'Checkbox' }),
    );
    expect(Object.keys(asked)).not.toContain('security');

    const place = { from: 'a@example.com', host: 'mail.example.com' };
    const saved = async (input: object) => {
      const { input: text } = (await api.plugin.update('app-smtp', {
        input: JSON.stringify({ ...place, ...input }),
      } as never)) as unknown as Plugin;
      return JSON.parse(text ?? '{}') as Record<string, unknown>;
    };
    const secured = { port: '465', secure: 'true', ignoreTLS: 'false', rejectUnauthorized: 'false' };
    const first = await saved({ ...secured, username: 'ann', password: 'hush' });
    expect(first).toMatchObject({
      ...place,
      port: 465,
      secure: true,
      ignoreTLS: false,
      rejectUnauthorized: false,
      username: 'ann',
      password: '********',
    });
    for (const own of ['security', 'user', 'acceptsAnyCertificate']) expect(first).not.toHaveProperty(own);
    const ownForm = async () =>
      (
        await api.instance.get<{ values: Record<string, unknown> }>(
          '/api/v1/app-store/plugins/app-smtp/settings',
        )
      ).data.values;
    expect(await ownForm()).toMatchObject({ security: 'tls', user: 'ann', acceptsAnyCertificate: true });
    // As it was read it goes back, and nothing is lost.
    expect(await saved(first)).toEqual(first);

    const open = { port: 25, secure: false, ignoreTLS: true, rejectUnauthorized: true };
    expect(await saved(open)).toMatchObject(open);
    expect(await ownForm()).toMatchObject({ security: 'none', acceptsAnyCertificate: false });
    const usual = { port: 587, secure: false, ignoreTLS: false };
    const told = await saved(usual);
    expect(told).toMatchObject({ ...usual, rejectUnauthorized: true });
    expect(await ownForm()).toMatchObject({ security: 'starttls' });
    const changes = async () =>
      (await api.instance.get<{ list: readonly { op_type: string }[] }>('/api/v1/plugins/sys-audit/audits'))
        .data.list.length;
    const before = await changes();
    expect(await saved(told)).toEqual(told);
    expect(await changes()).toBe(before);
    // The names of the settings themselves are understood as well.
    expect(await saved({ security: 'none', user: 'bob' })).toMatchObject({
      ignoreTLS: true,
      username: 'bob',
    });
  });

  test('takes numbers as text, as fields of forms give them, and knows a channel by its own title', async () => {
    const api = await signUp();
    const smtp = { from: 'trellis@example.com', host: 'mail.example.com', port: '2525' };
    const saved = (await api.plugin.update('app-smtp', {
      input: JSON.stringify(smtp),
    } as never)) as unknown as Plugin;
    expect(JSON.parse(saved.input ?? '{}')).toMatchObject({ port: 2525 });
    expect(await api.plugin.status('Whatsapp Twilio')).toBe(false);
    const twilio = { sid: 'AC1', token: 'hush', from: '+15005550006' };
    await api.plugin.update('channel-twilio', { input: JSON.stringify(twilio), active: true } as never);
    expect(await api.plugin.status('Twilio')).toBe(true);
    expect(await api.plugin.status('Whatsapp Twilio')).toBe(true);
  });
});
