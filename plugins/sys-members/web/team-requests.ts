import type { ProjectEntity } from '@trellis/sdk/shared';
import { objectsTag, type ApiRequest } from '@trellis/sdk/web';
import { isCustomRoleId, teamObjectKind, type MemberEntity } from '../shared/index.ts';

/** The tag of a project's list of members. */
export function teamTag(projectId: string): string {
  return objectsTag(teamObjectKind, projectId);
}

const usersPath = ({ id }: ProjectEntity) => `/api/v1/db/meta/projects/${encodeURIComponent(id)}/users`;
const userPath = (project: ProjectEntity, { id }: MemberEntity) =>
  `${usersPath(project)}/${encodeURIComponent(id)}`;

export function listRequest(project: ProjectEntity, query: string, limit: number): ApiRequest {
  return { path: usersPath(project), query: { limit, ...(query !== '' && { query }) } };
}

/** @param role one of the usual roles, or the id of a custom one. */
function given(role: string) {
  return isCustomRoleId(role) ? { custom_role: role } : { roles: role };
}

/** @param role as in `roleRequest`. */
export function addRequest(project: ProjectEntity, emails: readonly string[], role: string): ApiRequest {
  return { method: 'POST', path: usersPath(project), body: { email: emails.join(','), ...given(role) } };
}

/** @param role one of the usual roles, or the id of a custom one. */
export function roleRequest(project: ProjectEntity, member: MemberEntity, role: string): ApiRequest {
  const body = { ...given(role), project_id: project.id };
  return { method: 'PATCH', path: userPath(project, member), body };
}

export function removeRequest(project: ProjectEntity, member: MemberEntity): ApiRequest {
  return { method: 'DELETE', path: userPath(project, member) };
}

export function resendRequest(project: ProjectEntity, member: MemberEntity): ApiRequest {
  return { method: 'POST', path: `${userPath(project, member)}/resend-invite`, body: {} };
}

export function linkRequest(project: ProjectEntity, { id }: MemberEntity): ApiRequest {
  const at = `projects/${encodeURIComponent(project.id)}/invitations/${encodeURIComponent(id)}/link`;
  return { method: 'POST', path: `/api/v1/plugins/sys-members/${at}` };
}

export function handOverRequest({ id }: ProjectEntity, { id: user_id }: MemberEntity): ApiRequest {
  const path = `/api/v1/plugins/sys-members/projects/${encodeURIComponent(id)}/hand-over`;
  return { method: 'POST', path, body: { user_id } };
}

/** All projects of the server, with their owners. */
export const listOwnedRequest: ApiRequest = { path: '/api/v1/plugins/sys-members/projects' };

export function rescueRequest({ id }: Pick<ProjectEntity, 'id'>): ApiRequest {
  const path = `/api/v1/plugins/sys-members/projects/${encodeURIComponent(id)}/rescue`;
  return { method: 'POST', path, body: {} };
}

/** The address of an invitation. */
export function inviteLink(token: string): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#/user/authentication/signup/${encodeURIComponent(token)}`;
}
