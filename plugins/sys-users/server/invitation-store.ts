import { createHash, randomInt } from 'node:crypto';
import type { Invitation, PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { isWithinRole, type ProjectRole } from '@trellis/sdk/shared';
import { authErrors } from './auth-errors.ts';
import { hashOfLink, newLinkToken } from './secret-links.ts';

const lifetime = 7 * 24 * 3600_000;

interface InvitationRow {
  readonly id: string;
  readonly email: string;
  /** Empty for an invitation to the server alone. */
  readonly project_id: string;
  readonly role: ProjectRole | null;
  readonly inviter_id: string;
  readonly created_at: number | string;
  readonly expires_at: number | string;
}

/** An invitation with its project. */
export interface StoredInvitation extends Invitation {
  /** Empty for an invitation to the server alone. */
  readonly projectId: string;
  readonly inviterId: string;
}

/** A new link of an invitation. */
export interface InvitationLink {
  readonly invitation: StoredInvitation;
  readonly token: string;
}

/** The stored invitations; the caller has checked the rights. */
export class InvitationStore {
  readonly #db: PluginDatabase;
  readonly #now: () => number;

  constructor(db: PluginDatabase, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  async list(projectId: string): Promise<readonly StoredInvitation[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<InvitationRow>(unit.table('invitation').where({ project_id: projectId }).select('*')),
    );
    return rows.map(toInvitation).toSorted((left, right) => left.email.localeCompare(right.email, 'en'));
  }

  /**
   * Creates the invitation of an address to a project, or gives the existing one this role and a new link.
   *
   * @param givable the roles that the inviter may give.
   * @throws TrellisError `INVITATION_ABOVE_OWN` if the existing one has a higher role.
   */
  put(
    of: Pick<StoredInvitation, 'email' | 'projectId' | 'role' | 'inviterId'>,
    givable: readonly ProjectRole[],
  ): Promise<InvitationLink> {
    const { token, hash } = newLinkToken();
    const at = this.#now();
    const place = { project_id: of.projectId, email_key: keyOf(of.email) };
    const fresh = {
      token_hash: hash,
      role: of.role ?? null,
      inviter_id: of.inviterId,
      created_at: at,
      expires_at: at + lifetime,
    };
    return this.#db.writeKey(async (unit) => {
      const known = () => unit.table('invitation').where(place);
      const former = await unit.first<InvitationRow>(known().select('*'));
      if (former !== undefined && !isBelow(toInvitation(former), givable))
        throw authErrors.create('INVITATION_ABOVE_OWN', { email: of.email });
      if ((await unit.run(known().update(fresh))) === 0)
        await unit.run(unit.table('invitation').insert({ id: newId(), email: of.email, ...place, ...fresh }));
      const row = await unit.first<InvitationRow>(known().select('*'));
      if (row === undefined) throw authErrors.create('INVITATION_MISSING', { id: '' });
      return { invitation: toInvitation(row), token };
    });
  }

  async byId(projectId: string, id: string): Promise<StoredInvitation> {
    const row = await this.#db.read((unit) =>
      unit.first<InvitationRow>(unit.table('invitation').where({ id, project_id: projectId }).select('*')),
    );
    if (row === undefined) throw authErrors.create('INVITATION_MISSING', { id: id.slice(0, 40) });
    return toInvitation(row);
  }

  /** The invitation of a link. Throws `INVITATION_UNKNOWN` and `INVITATION_EXPIRED`. */
  async byToken(token: string): Promise<StoredInvitation> {
    const row = await this.#db.read((unit) => this.#rowOf(unit, token));
    return this.#valid(row);
  }

  /**
   * Consumes a link, in the transaction that uses it; of two concurrent uses, one succeeds.
   *
   * @param email the address that the link must be for, in its normal form.
   */
  async take(token: string, email: string, unit: PluginUnit): Promise<StoredInvitation> {
    const invitation = this.#valid(await this.#rowOf(unit, token));
    assertInvited(invitation, email);
    const taken = unit.table('invitation').where({ id: invitation.id, token_hash: hashOfLink(token) ?? '' });
    if ((await unit.run(taken.delete())) === 0) throw authErrors.create('INVITATION_UNKNOWN');
    return invitation;
  }

  /** The unexpired invitations of an address. */
  async byEmail(email: string): Promise<readonly StoredInvitation[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<InvitationRow>(
        unit
          .table('invitation')
          .where({ email_key: keyOf(email) })
          .where('expires_at', '>', this.#now())
          .select('*'),
      ),
    );
    return rows.map(toInvitation);
  }

  /** The person who changes the role becomes the inviter. */
  async setRole(
    { projectId, id }: StoredInvitation,
    { role, inviterId }: { readonly role: ProjectRole; readonly inviterId: string },
  ): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit.table('invitation').where({ id, project_id: projectId }).update({ role, inviter_id: inviterId }),
      ),
    );
  }

  async remove({ projectId, id }: StoredInvitation): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(unit.table('invitation').where({ id, project_id: projectId }).delete()),
    );
  }

  async forgetProject(projectId: string): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(unit.table('invitation').where({ project_id: projectId }).delete()),
    );
  }

  #rowOf(unit: PluginUnit, token: string): Promise<InvitationRow | undefined> {
    const hash = hashOfLink(token);
    if (hash === undefined) throw authErrors.create('INVITATION_UNKNOWN');
    return unit.first<InvitationRow>(unit.table('invitation').where({ token_hash: hash }).select('*'));
  }

  #valid(row: InvitationRow | undefined): StoredInvitation {
    if (row === undefined) throw authErrors.create('INVITATION_UNKNOWN');
    const invitation = toInvitation(row);
    if (invitation.expiresAt <= this.#now()) throw authErrors.create('INVITATION_EXPIRED');
    return invitation;
  }
}

/** @throws TrellisError `INVITATION_OF_OTHER` unless the invitation is for this address, in its normal form. */
export function assertInvited({ email }: StoredInvitation, address: string | undefined): void {
  if (email !== address) throw authErrors.create('INVITATION_OF_OTHER', { email });
}

/** Whether a person with these givable roles could have created or may change this invitation. */
export function isBelow(invitation: StoredInvitation, givable: readonly ProjectRole[]): boolean {
  const [highest] = givable;
  const { role } = invitation;
  return role === undefined || (highest !== undefined && isWithinRole(role, highest));
}

function toInvitation(row: InvitationRow): StoredInvitation {
  return {
    id: row.id,
    email: row.email,
    projectId: row.project_id,
    role: row.role ?? undefined,
    inviterId: row.inviter_id,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
  };
}

/** Collations may treat two addresses as equal, but not two digests. */
function keyOf(email: string): string {
  return createHash('sha256').update(email).digest('hex');
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** `in_` and 14 characters, in the form of ids of the v1 API. */
function newId(): string {
  return `in_${Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)]).join('')}`;
}
