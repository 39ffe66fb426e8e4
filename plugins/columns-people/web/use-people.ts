import type { ColumnEntity } from '@trellis/sdk/shared';
import { useServerData } from '@trellis/sdk/web';
import { useMemo } from 'react';
import { addressesOf, nameOf, type People, type Person } from '../shared/index.ts';

const none: readonly Person[] = [];

/** A project's people, read once for the page. An empty list, not loading, if the person may not read them. */
export function usePeople(projectId: string | undefined) {
  const request = useMemo(
    () =>
      projectId === undefined
        ? undefined
        : ({
            method: 'GET',
            path: `/api/v1/plugins/columns-people/projects/${encodeURIComponent(projectId)}/people`,
          } as const),
    [projectId],
  );
  const { data, isLoading, error } = useServerData<People>(request, {
    // Changed members are reported as a change of the projects.
    tags: ['projects', `project:${projectId ?? ''}`],
  });
  return { people: data?.list ?? none, isKnown: data !== undefined, isLoading, error };
}

/** The person with an address; of somebody who left, only the address is known. */
export function personOf(people: readonly Person[], email: string): Person {
  return people.find((person) => person.email === email) ?? { email };
}

/** The names of a cell's people, for `WebColumnType.useNames`. */
export function usePeopleNames(column: ColumnEntity): (value: string | null) => string {
  const { people } = usePeople(column.project_id);
  return (value) =>
    addressesOf(value)
      .map((email) => nameOf(personOf(people, email)))
      .join(', ');
}
