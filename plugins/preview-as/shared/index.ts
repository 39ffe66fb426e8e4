import { isCustomRoleId } from '#plugins/sys-members/shared';
import { isWithinRole, projectRoles, type ProjectRole } from '@trellis/sdk/shared';

/** The header that requests fewer rights. */
export const previewHeader = 'xc-preview';

/** The roles that can be previewed. */
export const previewRoles: readonly ProjectRole[] = ['editor', 'commenter', 'viewer'];

/** The role in a header; undefined for anything else. */
export function roleNamed(text: string | null | undefined): ProjectRole | undefined {
  return projectRoles.find((role) => role === text);
}

/** The id of a custom role in a header; undefined for anything else. */
export function customRoleNamed(text: string | null | undefined): string | undefined {
  return text && isCustomRoleId(text) ? text : undefined;
}

/** The lower of two roles. */
export function lowerRole(role: ProjectRole, other: ProjectRole | undefined): ProjectRole {
  return other === undefined || isWithinRole(role, other) ? role : other;
}
