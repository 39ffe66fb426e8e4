import type { ProjectEntity, ProjectRole } from '@trellis/sdk/shared';
import type { ApiRequest } from '@trellis/sdk/web';
import type { MemberEntity } from '../shared/index.ts';

/** Under it lies the list of the members of a project. */
export function teamTag(projectId: string): string {
  return `team:${projectId}`;
}

const usersPath = ({ id }: ProjectEntity) => `/api/v1/db/meta/projects/${encodeURIComponent(id)}/users`;
const userPath = (project: ProjectEntity, { id }: MemberEntity) =>
  `${usersPath(project)}/${encodeURIComponent(id)}`;

export function listRequest(project: ProjectEntity, query: string, limit: number): ApiRequest {
  return { path: usersPath(project), query: { limit, ...(query !== '' && { query }) } };
}

export function addRequest(
  project: ProjectEntity,
  emails: readonly string[],
  roles: ProjectRole,
): ApiRequest {
  return { method: 'POST', path: usersPath(project), body: { email: emails.join(','), roles } };
}

export function roleRequest(project: ProjectEntity, member: MemberEntity, roles: ProjectRole): ApiRequest {
  return { method: 'PATCH', path: userPath(project, member), body: { roles, project_id: project.id } };
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

/** The address that lets an invited person in. */
export function inviteLink(token: string): string {
  const { origin, pathname } = window.location;
  return `${origin}${pathname}#/user/authentication/signup/${encodeURIComponent(token)}`;
}
