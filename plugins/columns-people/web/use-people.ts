import type { ColumnEntity } from '@trellis/sdk/shared';
import { useServerData } from '@trellis/sdk/web';
import { useMemo } from 'react';
import { addressesOf, nameOf, type People, type Person } from '../shared/index.ts';

const none: readonly Person[] = [];

/** The people of a project, read once for the page. Undefined `isLoading` and an empty list for who may not ask. */
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
    // Whoever is invited or removed is told of as a change of the projects.
    tags: ['projects', `project:${projectId ?? ''}`],
  });
  return { people: data?.list ?? none, isKnown: data !== undefined, isLoading, error };
}

/** Who an address belongs to; somebody who left is known by the address alone. */
export function personOf(people: readonly Person[], email: string): Person {
  return people.find((person) => person.email === email) ?? { email };
}

/** The names of the people of a cell, as `WebColumnType.useNames`. */
export function usePeopleNames(column: ColumnEntity): (value: string | null) => string {
  const { people } = usePeople(column.project_id);
  return (value) =>
    addressesOf(value)
      .map((email) => nameOf(personOf(people, email)))
      .join(', ');
}
