import type { ProjectRole } from '@trellis/sdk/shared';
import { customRoleNamed, previewRoles, roleNamed } from '../shared/index.ts';

const key = 'trellis.preview-as';

/** The role that this tab of the browser looks through; each tab has its own, and it ends with the tab. */
export function previewedRole(): ProjectRole | undefined {
  const role = roleNamed(sessionStorage.getItem(key));
  return role !== undefined && previewRoles.includes(role) ? role : undefined;
}

/** A custom role of a project, as the preview keeps it. */
export interface PreviewedRole {
  readonly id: string;
  readonly title: string;
}

const customKey = `${key}.custom`;

/** The custom role that this tab looks through. */
export function previewedCustomRole(): PreviewedRole | undefined {
  const [id, ...title] = (sessionStorage.getItem(customKey) ?? '').split(' ');
  return customRoleNamed(id) === undefined ? undefined : { id: id ?? '', title: title.join(' ') };
}

/** Looks through a custom role, as `preview` does through a usual one. */
export function previewCustomRole({ id, title }: PreviewedRole): void {
  sessionStorage.removeItem(key);
  sessionStorage.setItem(customKey, `${id} ${title}`);
  window.location.reload();
}

/** Looks through a role, or no more; what the page has read by other rights goes with a new start. */
export function preview(role: ProjectRole | undefined): void {
  sessionStorage.removeItem(customKey);
  if (role === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, role);
  window.location.reload();
}

/**
 * Whether a request is about what a project shows: never one about who is signed in, and only on the pages of projects. The live channel
 * is opened once for all pages: it always tells what the role may hear.
 */
export function isPreviewed(path: string, hash: string): boolean {
  if (path === '/live') return true;
  return hash.startsWith('#/nc/') && !path.includes('/auth/') && !path.startsWith('/api/v1/plugins/web');
}
