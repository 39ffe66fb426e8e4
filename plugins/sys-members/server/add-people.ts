import {
  AccountStoreToken,
  AuditLogToken,
  InvitationsToken,
  LettersToken,
  MembersToken,
  RateLimiterToken,
  tellPerson,
  type AccessScope,
  type InvitationLetter,
  type RouteRequest,
  type ServerPluginContext,
  auditText,
} from '@trellis/sdk/server';
import { TrellisError, type ProjectRole } from '@trellis/sdk/shared';
import {
  addressesOf,
  mostAddresses,
  type AddAnswer,
  type CustomRole,
  type InvitedPerson,
  type RefusedPerson,
} from '../shared/index.ts';
import { teamErrors } from './member-errors.ts';
import type { CustomRoles } from './roles/custom-roles.ts';
import { roleChanges } from './roles/role-changes.ts';

/** Mails that are sent at the same time: if the mail server does not answer, the caller waits for all of them together. */
const atOnce = 10;

/** The statuses that concern a single address; any other error fails the whole call. */
const statusesOfOne: readonly number[] = [400, 409, 429];

/** Addresses that one person may try in an hour: the answers reveal who has an account. */
const tries = { name: 'add-people', limit: 500, windowSeconds: 3600 };

/** Whom to add, with which role. */
export interface Addition {
  /** Addresses separated by commas. */
  readonly emails: string;
  readonly role: ProjectRole;
  /** The custom role that limits the role, if any. */
  readonly custom: Pick<CustomRole, 'id' | 'title'> | undefined;
  readonly letter: InvitationLetter;
}

/** Adds people who have an account, and invites the others. */
export function createAddPeople(ctx: ServerPluginContext, customRoles: CustomRoles) {
  const accounts = ctx.get(AccountStoreToken);
  const members = ctx.get(MembersToken);
  const invitations = ctx.get(InvitationsToken);
  const limiter = ctx.get(RateLimiterToken);
  const audit = ctx.get(AuditLogToken);

  /** All addresses in their normal form; throws if one of them is invalid, so that nobody is added. */
  function readAddresses(text: string): readonly string[] {
    const texts = addressesOf(text);
    if (texts.length === 0) throw teamErrors.create('EMAIL_REQUIRED');
    if (texts.length > mostAddresses) throw teamErrors.create('TOO_MANY_ADDRESSES', { limit: mostAddresses });
    const normal = texts.map((email) => {
      const address = accounts.addressOf(email);
      if (address === undefined) throw teamErrors.create('EMAIL_INVALID', { email: email.slice(0, 320) });
      return address;
    });
    return [...new Set(normal)];
  }

  async function addOne(
    scope: AccessScope,
    email: string,
    { role, custom, letter }: Addition,
  ): Promise<InvitedPerson> {
    await limiter.consume(tries, scope.principal.id);
    const account = await accounts.byEmail(email);
    if (account !== undefined) {
      const person = { projectId: scope.projectId ?? '', accountId: account.id, email };
      await customRoles.assign(person, custom?.id, (unit) => members.add(scope, account.id, role, unit));
      await invitations.announce(scope, account, letter);
      const { id: actorId, email: actor } = scope.principal;
      // Its mail is the letter above.
      if (account.id !== actorId)
        await tellPerson(ctx, {
          accountId: account.id,
          kind: 'member-added',
          projectId: person.projectId,
          actor,
          requestId: scope.requestId,
        });
      return { email, invite_token: null, outcome: 'added' };
    }
    const invite = () => invitations.invite(scope, { email, role }, letter);
    const invited = { projectId: scope.projectId ?? '', email };
    const { token, mail } = await customRoles.assignAround(invited, custom?.id, invite);
    const outcome = { sent: 'mailed', waiting: 'waiting', off: 'link' } as const;
    return { email, invite_token: token ?? null, outcome: outcome[mail] };
  }

  /** With several addresses, the others are still added; errors of the server or of rights are thrown at once. */
  async function tryOne(
    { scope, ip }: Pick<RouteRequest, 'scope' | 'ip'>,
    email: string,
    addition: Addition,
    isAlone: boolean,
  ): Promise<InvitedPerson | RefusedPerson> {
    try {
      const person = await addOne(scope, email, addition);
      const told = { person: email, role: addition.custom?.title ?? addition.role };
      await audit.record({
        type: 'AUTHENTICATION',
        subType: 'INVITE',
        principal: scope.principal,
        ip,
        projectId: scope.projectId,
        changes: roleChanges({ to: told.role }),
        description:
          person.outcome === 'added'
            ? auditText('{{person}} was added as {{role}}', told)
            : auditText('{{person}} was invited as {{role}}', told),
      });
      return person;
    } catch (error) {
      if (isAlone || !(error instanceof TrellisError) || !statusesOfOne.includes(error.status)) throw error;
      return { email, error: error.message, code: error.code, params: error.params };
    }
  }

  return async (request: Pick<RouteRequest, 'scope' | 'ip'>, addition: Addition): Promise<AddAnswer> => {
    const emails = readAddresses(addition.emails);
    const outcomes: (InvitedPerson | RefusedPerson)[] = [];
    for (let at = 0; at < emails.length; at += atOnce) {
      const some = emails.slice(at, at + atOnce);
      const answers = some.map((email) => tryOne(request, email, addition, emails.length === 1));
      outcomes.push(...(await Promise.all(answers)));
    }
    const people = outcomes.filter((of): of is InvitedPerson => 'outcome' in of);
    const refused = outcomes.filter((of): of is RefusedPerson => 'error' in of);
    const isLinked = people.some(({ outcome }) => outcome === 'link');
    const lacks = isLinked ? ctx.find(LettersToken)?.lacks() : undefined;
    return {
      ...answerOf(people, refused, emails.length),
      ...(lacks === 'address' && { mail_lacks: lacks }),
    };
  };
}

function answerOf(
  people: readonly InvitedPerson[],
  error: readonly RefusedPerson[],
  asked: number,
): AddAnswer {
  const linked = people.find(({ invite_token: token }) => token !== null);
  const token = linked?.invite_token ?? undefined;
  if (asked > 1) return { invite_token: token, emails: people.map(({ email }) => email), error, people };
  return linked === undefined
    ? { msg: 'success', people }
    : { invite_token: token, email: linked.email, people };
}
