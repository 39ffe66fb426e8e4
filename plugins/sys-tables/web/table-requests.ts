import type { ApiRequest } from '@trellis/sdk/web';

const meta = '/api/v1/db/meta';

export function tablesRequest(projectId: string): ApiRequest {
  return { path: `${meta}/projects/${encodeURIComponent(projectId)}/tables` };
}

export function trashPath(projectId: string): string {
  return `${meta}/projects/${encodeURIComponent(projectId)}/trash`;
}

export function syncPath(projectId: string): string {
  return `${meta}/projects/${encodeURIComponent(projectId)}/meta-diff`;
}

export function tablePath(tableId: string): string {
  return `${meta}/tables/${encodeURIComponent(tableId)}`;
}

export function columnPath(columnId: string): string {
  return `${meta}/columns/${encodeURIComponent(columnId)}`;
}
