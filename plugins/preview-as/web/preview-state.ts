import type { ProjectRole } from '@trellis/sdk/shared';
import { previewRoles, roleNamed } from '../shared/index.ts';

const key = 'trellis.preview-as';

/** The role that this tab of the browser looks through; each tab has its own, and it ends with the tab. */
export function previewedRole(): ProjectRole | undefined {
  const role = roleNamed(sessionStorage.getItem(key));
  return role !== undefined && previewRoles.includes(role) ? role : undefined;
}

/** Looks through a role, or no more; what the page has read by other rights goes with a new start. */
export function preview(role: ProjectRole | undefined): void {
  if (role === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, role);
  window.location.reload();
}

/** Whether a request is about what a project shows: never one about who is signed in, and only on the pages of projects. */
export function isPreviewed(path: string, hash: string): boolean {
  return hash.startsWith('#/nc/') && !path.includes('/auth/') && !path.startsWith('/api/v1/plugins/web');
}
