import type { LiveSaying, TableEntity } from '@trellis/sdk/shared';
import { useHost } from '@trellis/sdk/web';
import { useCellsInSight, type CellInSight } from '@trellis/sdk/web/grid';
import { useEffect, useState } from 'react';
import { presenceTopic } from '../shared/index.ts';

/** Milliseconds between two sayings: whoever runs through cells is told of where they stop, and now and then on their way. */
const pause = 350;

/** The other pages of a table by their ids, as long as the component is drawn; says meanwhile where the person here is. */
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
      // It also tells of marks, such as those of the others who said something.
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
