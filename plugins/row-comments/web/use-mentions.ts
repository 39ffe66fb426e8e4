import { useHost, useServerData } from '@trellis/sdk/web';
import { useState, type KeyboardEvent } from 'react';

interface Person {
  readonly email: string;
  readonly name?: string;
}

/** The place of a mention that is being typed. */
interface Place {
  /** The index of its @. */
  readonly start: number;
  readonly end: number;
  readonly search: string;
}

const mostOffered = 6;

function placeIn(text: string, caret: number): Place | undefined {
  const [, typed] = /(?:^|\s)@(\S*)$/.exec(text.slice(0, caret)) ?? [];
  return typed === undefined
    ? undefined
    : { start: caret - typed.length - 1, end: caret, search: typed.toLowerCase() };
}

/**
 * The people to offer while a mention is typed; none if the plugin that knows them is disabled: mentions are then typed in full.
 */
export function useMentions(projectId: string) {
  const host = useHost();
  const [place, setPlace] = useState<Place>();
  const [index, setIndex] = useState(0);
  const { data } = useServerData<{ readonly list: readonly Person[] }>(
    place && host.isPluginEnabled('columns-people')
      ? { path: `/api/v1/plugins/columns-people/projects/${encodeURIComponent(projectId)}/people` }
      : undefined,
    // Changed members are reported as a change of the projects.
    { tags: ['projects', `project:${projectId}`] },
  );
  const people =
    place === undefined
      ? []
      : (data?.list ?? [])
          .filter(({ email, name = '' }) => `${email} ${name}`.toLowerCase().includes(place.search))
          .slice(0, mostOffered);
  const chosen = Math.min(index, Math.max(people.length - 1, 0));
  const close = () => setPlace(undefined);

  return {
    place,
    people,
    index: chosen,
    close,
    follow(text: string, caret: number) {
      setPlace(placeIn(text, caret));
      setIndex(0);
    },
    /** Returns whether the list used the key. */
    onKeyDown(event: KeyboardEvent, choose: (email: string) => void): boolean {
      const person = people[chosen];
      if (person === undefined) return false;
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by !== undefined) setIndex((chosen + by + people.length) % people.length);
      else if (event.key === 'Enter' || event.key === 'Tab') choose(person.email);
      else if (event.key === 'Escape') close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
