import { hostObjectKinds, type Page } from '@trellis/sdk/shared';
import { objectsTag, useHost, useServerData, useTables } from '@trellis/sdk/web';
import { useState } from 'react';
import type { AuditEntity } from '../shared/index.ts';
import { auditRequest, everything, pageSize, type AuditChoice, type AuditProject } from './audit-requests.ts';
import { useRowEvents } from './use-row-events.ts';

/** The shown lines, and how to choose others. */
export interface ShownAudit {
  readonly choice: AuditChoice;
  readonly lines: Page<AuditEntity> | undefined;
  readonly error: Error | undefined;
  readonly isFetching: boolean;
  /** Whether rows were changed since the lines were read. */
  readonly isOutdated: boolean;
  /** The index of the first line. */
  readonly first: number;
  readAgain(this: void): void;
  readNewest(this: void): void;
  choose(this: void, patch: Partial<AuditChoice>): void;
  turnTo(this: void, offset: number): void;
}

/** The audit log of a project or, without one, outside projects: newest first, one page at a time. */
export function useAudit(project?: AuditProject): ShownAudit {
  const { invalidate } = useHost();
  const [{ choice, page }, setPlace] = useState({ choice: everything, page: 0 });
  const id = project?.id;
  const tag = objectsTag(hostObjectKinds.audit, id);
  const { data, error, isFetching, refetch } = useServerData<Page<AuditEntity>>(
    auditRequest(project, choice, page),
    // Row events are excluded, because the log would be read again with each changed cell.
    { tags: id === undefined ? [tag] : [tag, `tables:${id}`, `project:${id}`], keepsLast: true },
  );
  const tables = useTables(id).data?.list ?? [];
  // The lines at the time of the change: others may have been read since.
  const [outdated, setOutdated] = useState<typeof data>();
  useRowEvents(choice.table === '' ? tables.map((table) => table.id) : [choice.table], () =>
    setOutdated(data),
  );
  return {
    choice,
    lines: data,
    error,
    isFetching,
    isOutdated: data !== undefined && data === outdated,
    first: page * pageSize,
    readAgain() {
      setOutdated(undefined);
      refetch();
    },
    readNewest() {
      setOutdated(undefined);
      invalidate([tag]);
      setPlace({ choice, page: 0 });
    },
    choose: (patch) => setPlace({ choice: { ...choice, ...patch }, page: 0 }),
    turnTo: (offset) => setPlace({ choice, page: offset / pageSize }),
  };
}
