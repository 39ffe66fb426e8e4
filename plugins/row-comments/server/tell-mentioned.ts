import {
  AccessServiceToken,
  AccountStoreToken,
  InboxToken,
  type Principal,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { TrellisError } from '@trellis/sdk/shared';
import { mentionsIn } from '../shared/index.ts';
import type { CommentRow } from './comment-store.ts';
import type { CommentPlaces } from './place-of-comments.ts';

/** Tells the people whom a comment mentions and `before` did not, if they may read it: people outside the project are not told. */
export function createTellMentioned(ctx: ServerPluginContext, places: CommentPlaces) {
  const access = ctx.get(AccessServiceToken);
  const accounts = ctx.get(AccountStoreToken);
  const inbox = ctx.get(InboxToken);

  async function mayRead(principal: Principal, comment: CommentRow, requestId: string): Promise<boolean> {
    try {
      const scope = await access.scopeFor(principal, comment.project_id, requestId);
      await places.row({ scope, permission: 'commentList' }, comment.table_id, comment.row_key);
      return true;
    } catch (error) {
      if (error instanceof TrellisError && error.status < 500) return false;
      throw error;
    }
  }

  return async (comment: CommentRow, before: string, requestId: string): Promise<void> => {
    const known = new Set(mentionsIn(before));
    const emails = mentionsIn(comment.text).filter((email) => !known.has(email));
    if (emails.length === 0) return;
    const members = new Set((await access.members(comment.project_id)).map(({ userId }) => userId));
    const told: string[] = [];
    for (const email of emails) {
      const account = await accounts.byEmail(email);
      if (account === undefined || account.id === comment.account_id || !members.has(account.id)) continue;
      const principal: Principal = {
        kind: 'user',
        id: account.id,
        email: account.email,
        accountRoles: account.roles,
      };
      if (await mayRead(principal, comment, requestId)) told.push(account.id);
    }
    await inbox.tell(
      told.map((accountId) => ({
        accountId,
        kind: 'mention',
        projectId: comment.project_id,
        tableId: comment.table_id,
        rowKey: comment.row_key,
        about: comment.id,
        actor: comment.email,
        requestId,
        letter: {
          subject: `${comment.email} mentioned you in a comment`,
          // Without the comment's text: when the mail is read, the right to read it may be gone.
          paragraphs: [`${comment.email} mentioned you in a comment on a row.`],
          action: { label: 'Open the project', path: `/nc/${encodeURIComponent(comment.project_id)}` },
        },
      })),
    );
  };
}
