import { defineErrors } from '../shared/index.ts';
import { AccessServiceToken, AccountStoreToken } from './services.ts';
import type { ServerPluginContext } from './context.ts';

const errors = defineErrors({
  CHANNEL_SEVERAL: {
    status: 400,
    message: 'A placeholder of an address stands for one address: write several beside each other.',
  },
});

/**
 * The addresses of a template with commas between them, for each part that somebody wrote: several where a cell holds several. Whoever fills in
 * a form must not choose how many people are told, so a part of several is to be refused, or looked at closely.
 *
 * @param fill fills the placeholders of one part in
 * @public
 */
export function filledAddresses(
  template: unknown,
  fill: (part: string) => string,
): readonly (readonly string[])[] {
  const pieces = typeof template === 'string' ? template.split(/(\{\{[^{}]*\}\})/) : [];
  // The names of columns in placeholders may hold commas, too.
  const isPlaceholder = (at: number) => at % 2 === 1;
  return pieces
    .map((piece, at) => (isPlaceholder(at) ? piece : piece.replaceAll(/[,;]/g, '\n')))
    .join('')
    .split('\n')
    .map((part) =>
      fill(part)
        .split(/[,;\n]/)
        .map((address) => address.trim())
        .filter((address) => address !== ''),
    )
    .filter(({ length }) => length > 0);
}

/**
 * The settings of a channel with the placeholders of their texts filled in; `to` names who is told, with commas between them.
 *
 * @throws TrellisError 400 `CHANNEL_SEVERAL` where a cell names several, final for this message
 * @public
 */
export function filledChannelSettings(
  settings: Readonly<Record<string, unknown>>,
  fill: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const filled = Object.entries(settings).map(([key, value]) => {
    if (typeof value !== 'string') return [key, value] as const;
    if (key !== 'to') return [key, fill(value)] as const;
    const parts = filledAddresses(value, fill);
    if (parts.some(({ length }) => length > 1)) throw errors.create('CHANNEL_SEVERAL', { final: 'message' });
    return [key, parts.flat().join(', ')] as const;
  });
  return Object.fromEntries(filled);
}

/**
 * Makes who finds the people whom a template of a mail names. A placeholder that stands for several addresses, as a cell of collaborators does,
 * must stand for members of the project: strangers who fill in a form would have this server send mails to anybody.
 *
 * @returns their addresses; undefined where several of one placeholder are not all members
 * @public
 */
export function createMailRecipients(
  ctx: Pick<ServerPluginContext, 'get'>,
): (
  template: unknown,
  fill: (part: string) => string,
  projectId: string,
) => Promise<readonly string[] | undefined> {
  const access = ctx.get(AccessServiceToken);
  const accounts = ctx.get(AccountStoreToken);

  async function areMembers(addresses: readonly string[], projectId: string): Promise<boolean> {
    const members = new Set((await access.members(projectId)).map(({ userId }) => userId));
    if (addresses.length > members.size) return false;
    for (const address of addresses) {
      const account = await accounts.byEmail(address);
      if (account === undefined || !members.has(account.id)) return false;
    }
    return true;
  }

  return async (template, fill, projectId) => {
    const parts = filledAddresses(template, fill);
    for (const several of parts.filter(({ length }) => length > 1))
      if (!(await areMembers(several, projectId))) return undefined;
    return parts.flat();
  };
}
