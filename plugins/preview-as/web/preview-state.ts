import type { ProjectRole } from '@trellis/sdk/shared';
import { customRoleNamed, previewRoles, roleNamed } from '../shared/index.ts';

const key = 'trellis.preview-as';

/** The role that this browser tab previews; each tab has its own, which ends with the tab. */
export function previewedRole(): ProjectRole | undefined {
  const role = roleNamed(sessionStorage.getItem(key));
  return role !== undefined && previewRoles.includes(role) ? role : undefined;
}

/** A custom role in the form that the preview stores. */
export interface PreviewedRole {
  readonly id: string;
  readonly title: string;
}

const customKey = `${key}.custom`;

/** The custom role that this tab previews. */
export function previewedCustomRole(): PreviewedRole | undefined {
  const [id, ...title] = (sessionStorage.getItem(customKey) ?? '').split(' ');
  return customRoleNamed(id) === undefined ? undefined : { id: id ?? '', title: title.join(' ') };
}

/** Previews a custom role, as `preview` does for a usual one. */
export function previewCustomRole({ id, title }: PreviewedRole): void {
  sessionStorage.removeItem(key);
  sessionStorage.setItem(customKey, `${id} ${title}`);
  window.location.reload();
}

/** Previews a role, or ends the preview; the page reloads, because it holds data that was read with other rights. */
export function preview(role: ProjectRole | undefined): void {
  sessionStorage.removeItem(customKey);
  if (role === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, role);
  window.location.reload();
}

/**
 * Whether a request is about a project's contents: never one about the session, and only on pages of projects. The live channel is
 * shared by all pages, so it always receives only what the role may.
 */
export function isPreviewed(path: string, hash: string): boolean {
  if (path === '/live') return true;
  return hash.startsWith('#/nc/') && !path.includes('/auth/') && !path.startsWith('/api/v1/plugins/web');
}
