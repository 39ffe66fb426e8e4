import { hostObjectKinds } from '@trellis/sdk/shared';
import { objectsTag, type ApiRequest } from '@trellis/sdk/web';
import type { ServerUserPatch } from '../shared/index.ts';

const users = '/api/v1/users';
const invitations = '/api/v1/user-invitations';
const userPath = (id: string) => `${users}/${encodeURIComponent(id)}`;
const invitationPath = (id: string) => `${invitations}/${encodeURIComponent(id)}`;

/** The tag of the lists of accounts and invitations. */
export const usersTag = objectsTag(hostObjectKinds.accounts);

export function listUsers(search: string, limit: number): ApiRequest {
  return { path: users, query: { limit, ...(search !== '' && { query: search }) } };
}

export function changeUser(id: string, body: ServerUserPatch): ApiRequest {
  return { method: 'PATCH', path: userPath(id), body };
}

export function deleteUser(id: string): ApiRequest {
  return { method: 'DELETE', path: userPath(id) };
}

export function makeResetLink(id: string): ApiRequest {
  return { method: 'POST', path: `${userPath(id)}/reset-link` };
}

export const listInvitations: ApiRequest = { path: invitations };

export function inviteUser(email: string): ApiRequest {
  return { method: 'POST', path: invitations, body: { email } };
}

export function renewInvitation(id: string): ApiRequest {
  return { method: 'POST', path: `${invitationPath(id)}/renew` };
}

export function removeInvitation(id: string): ApiRequest {
  return { method: 'DELETE', path: invitationPath(id) };
}
