import { addressOfTab, type ApiRequest } from '@trellis/sdk/web';
import type { Page, ProjectEntity } from '@trellis/sdk/shared';
import type { AuditEntity } from '../shared/index.ts';

/** Lines per page. */
export const pageSize = 50;

/** The filters of the page; an empty text filters nothing, and days are in the person's zone. */
export interface AuditChoice {
  readonly user: string;
  readonly type: string;
  readonly table: string;
  /** The first day, as `YYYY-MM-DD`. */
  readonly from: string;
  /** The last day. */
  readonly until: string;
}

export const everything: AuditChoice = { user: '', type: '', table: '', from: '', until: '' };

/** The lines' project; undefined for actions outside projects. */
export type AuditProject = ProjectEntity | undefined;

/** The people to filter by: a project's members, or everybody with an account. */
export type People =
  | { readonly users: Page<{ readonly email: string }> }
  | { readonly list: readonly { readonly email: string }[] };

const metaPath = ({ id }: ProjectEntity) => `/api/v1/db/meta/projects/${encodeURIComponent(id)}`;

export function auditRequest(project: AuditProject, choice: AuditChoice, page: number): ApiRequest {
  const { user, type, table, from, until } = choice;
  const wanted = {
    user,
    op_type: type,
    fk_model_id: table,
    from: startOf(from, 0),
    until: startOf(until, 1),
  };
  const said = Object.entries(wanted).filter(([, value]) => value !== '');
  const query = { limit: pageSize, offset: page * pageSize, ...Object.fromEntries(said) };
  return {
    path: project === undefined ? '/api/v1/plugins/sys-audit/audits' : `${metaPath(project)}/audits`,
    query,
  };
}

export function peopleRequest(project: AuditProject): ApiRequest {
  const path = project === undefined ? '/api/v1/users' : `${metaPath(project)}/users`;
  return { path, query: { limit: 1000 } };
}

export function emailsOf(people: People | undefined): readonly string[] {
  if (people === undefined) return [];
  const { list } = 'users' in people ? people.users : people;
  return list.map(({ email }) => email);
}

/** The page of a line's table, with its row if it has one. */
export function placeOf(project: ProjectEntity, { fk_model_id, table_title, row_id }: AuditEntity): string {
  const tab = { type: 'table', key: fk_model_id ?? '', name: table_title ?? '' };
  return addressOfTab(project.id, tab, row_id === null ? {} : { row: row_id });
}

/** When a day, or a later one, begins in the person's zone; empty for no day. */
function startOf(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return '';
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? '' : start.toISOString();
}
