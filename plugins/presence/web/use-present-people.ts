import type { LiveSaying, TableEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { useCellsInSight, type CellInSight } from '@trellis/sdk/web/grid';
import { useEffect, useState } from 'react';
import { presenceTopic } from '../shared/index.ts';

/**
 * Minimum milliseconds between two messages: a person moving through cells is reported where they stop, and occasionally on the
 * way.
 */
const pause = 350;

/** The other pages at a table by id, while the component is mounted; also reports this person's place. */
export function useOtherPages(table: TableEntity): ReadonlyMap<string, LiveSaying> {
  const { live } = useHost();
  const cells = useCellsInSight();
  const [pages, setPages] = useState<ReadonlyMap<string, LiveSaying>>(new Map());

  useEffect(() => {
    const talk = live.talk(table.id, presenceTopic, (saying) => {
      setPages((before) => {
        if (saying === undefined) return new Map();
        const next = new Map(before);
        if (saying.said === null) next.delete(saying.from.id);
        else next.set(saying.from.id, saying);
        return next;
      });
    });
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let said: CellInSight | undefined;
    const say = (): void => {
      const { active } = cells ?? {};
      said = active;
      talk.say(active === undefined ? {} : { row: active.rowKey, column: active.columnId });
    };
    say();
    const leave = cells?.subscribe(() => {
      // It also fires for marks, such as those of other people's messages.
      if (cells.active === said) return;
      waiting ??= setTimeout(() => {
        waiting = undefined;
        say();
      }, pause);
    });
    return () => {
      clearTimeout(waiting);
      leave?.();
      talk.dispose();
      setPages(new Map());
    };
  }, [live, table.id, cells]);

  return pages;
}
