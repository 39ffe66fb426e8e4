import { expect, test } from '@jest/globals';
import { describeClient } from './ground.ts';

interface Plugin {
  readonly id: string;
  readonly title: string;
  readonly active: boolean;
  readonly input_schema: string | null;
  readonly input: string | null;
}

describeClient('plugins', ({ guest, signUp }) => {
  test('lists plugins, reads one, sets it up and says whether it is on', async () => {
    const api = await signUp();
    const { list } = (await api.plugin.list()) as unknown as { readonly list: readonly Plugin[] };
    const smtp = list.find(({ title }) => title === 'SMTP');
    expect(smtp).toMatchObject({ active: expect.any(Boolean), input: expect.any(String) });
    // Nobody has set it up, so that it has what its form begins with.
    expect(JSON.parse(smtp?.input ?? '{}')).toMatchObject({ security: 'starttls' });
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
});
