import { isCustomRoleId } from '#plugins/sys-members/shared';
import { isWithinRole, projectRoles, type ProjectRole } from '@trellis/sdk/shared';

/** The header that asks for fewer rights. */
export const previewHeader = 'xc-preview';

/** The roles that a project can be looked at as. */
export const previewRoles: readonly ProjectRole[] = ['editor', 'commenter', 'viewer'];

/** The role of a header; undefined for what is none. */
export function roleNamed(text: string | null | undefined): ProjectRole | undefined {
  return projectRoles.find((role) => role === text);
}

/** The id of a custom role in a header; undefined for what is none. */
export function customRoleNamed(text: string | null | undefined): string | undefined {
  return text && isCustomRoleId(text) ? text : undefined;
}

/** The one of two roles that may do less. */
export function lowerRole(role: ProjectRole, other: ProjectRole | undefined): ProjectRole {
  return other === undefined || isWithinRole(role, other) ? role : other;
}
