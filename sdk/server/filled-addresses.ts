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
 * The addresses of a comma-separated template, grouped by the parts that its author wrote: a part has several if a cell holds
 * several. The person who fills in a form must not decide how many people are written to, so parts with several addresses need to
 * be refused or checked.
 *
 * @param fill fills in the placeholders of one part
 * @public
 */
export function filledAddresses(
  template: unknown,
  fill: (part: string) => string,
): readonly (readonly string[])[] {
  const pieces = typeof template === 'string' ? template.split(/(\{\{[^{}]*\}\})/) : [];
  // Column names in placeholders may contain commas, too.
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
 * The settings of a channel with the placeholders of their texts filled in; `to` lists the recipients, separated by commas.
 *
 * @throws TrellisError 400 `CHANNEL_SEVERAL` if a cell names several, final for this message
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
 * Creates a function that finds the recipients of a mail template. A placeholder that stands for several addresses, such as a cell
 * of collaborators, must stand for members of the project: otherwise strangers who fill in a form could have this server send mails
 * to anybody.
 *
 * @returns their addresses; undefined if several of one placeholder are not all members
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
