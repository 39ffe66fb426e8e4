import type { AttachedFile } from '@trellis/sdk/shared';
import type { ApiRequest, ChangedCell } from '@trellis/sdk/web';
import { filesOf, sameFile } from '../shared/index.ts';

/** The call that adds files to a cell and removes files from it; undefined if the order changes, or if nothing does. */
export function cellRequest({
  project,
  table,
  column,
  rowKey,
  value,
  before,
}: ChangedCell): ApiRequest | undefined {
  const [had, has] = [filesOf(before), filesOf(value)];
  const isIn = (files: readonly AttachedFile[], { url }: AttachedFile) =>
    files.some((one) => sameFile(one.url, url));
  const renamed = has.filter(({ url, title }) =>
    had.some((one) => sameFile(one.url, url) && one.title !== title),
  );
  const added = has.filter((file) => !isIn(had, file));
  const removed = had.filter((file) => !isIn(has, file));
  const kept = had.filter((file) => isIn(has, file));
  // New files come after the existing ones.
  const wanted = [...kept, ...added];
  const isInOrder = has.every(({ url }, at) => sameFile(url, wanted[at]?.url ?? ''));
  if (!isInOrder || added.length + removed.length + renamed.length === 0) return undefined;
  const place = [project.id, table.id, rowKey, column.id].map(encodeURIComponent).join('/');
  return {
    method: 'PATCH',
    path: `/api/v1/db/storage/cells/noco/${place}`,
    body: {
      add: [...renamed, ...added].map(({ url, title }) => ({ url, title })),
      remove: removed.map(({ url }) => url),
    },
    outlasts: true,
  };
}
