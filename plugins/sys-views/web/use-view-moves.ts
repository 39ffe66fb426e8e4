import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { useSortable, type TreeItemProps } from '@trellis/sdk/web/ui';
import { useEffect, useRef, type RefObject } from 'react';
import type { GroupActions } from './use-group-actions.ts';
import { landingOf, type ViewLine, type ViewSection } from './view-sections.ts';

/** How views and groups of the list in the side bar are put elsewhere. */
export interface ViewMoves {
  /** The list that the lines stand in. */
  readonly list: RefObject<HTMLUListElement | null>;
  /** From one line to another. */
  move(this: void, from: number, to: number): void;
  /** What makes a line one that is dragged. */
  sortableOf(this: void, line: number): NonNullable<TreeItemProps['sortable']>;
}

export function useViewMoves(
  lines: readonly ViewLine[],
  groups: readonly ViewGroup[],
  { land, move: moveGroup }: Pick<GroupActions, 'land' | 'move'>,
): ViewMoves {
  const list = useRef<HTMLUListElement>(null);
  const leaving = useRef<string>(undefined);

  // A view that is moved into another group by keys is drawn anew there, and the keys go on to it.
  useEffect(() => {
    const id = leaving.current;
    if (id === undefined || document.activeElement !== document.body) return;
    leaving.current = undefined;
    itemOf(list.current, id)?.focus();
  });

  function put(from: number, to: number, isInto: boolean): void {
    const line = lines[from];
    if (line?.view !== undefined) return putView(line.section, line.view, landingOf(lines, from, to, isInto));
    if (line?.section.group === undefined) return;
    const own = groups.indexOf(line.section.group);
    const over = lines[to]?.section;
    // Next to its heading stand its own views, and for the keys a group goes one group on.
    const target = over === line.section ? own + Math.sign(to - from) : placeOf(over);
    if (target !== own && target < groups.length) void moveGroup(own, target);
  }

  function putView(section: ViewSection, view: ViewEntity, landing: ReturnType<typeof landingOf>): void {
    if (landing === undefined) return;
    if (landing.section !== section) leaving.current = view.id;
    void land(view, landing);
  }

  /** The views outside of groups stand behind the last one. */
  function placeOf(section: ViewSection | undefined): number {
    return section?.group === undefined ? groups.length - 1 : groups.indexOf(section.group);
  }

  /** A view goes into the group whose heading it is dragged to, and a group to the place of the one that it is dragged over. */
  function targetOf(from: number, over: number) {
    const line = lines[over];
    if (lines[from]?.view !== undefined) return { to: over, isInto: line?.view === undefined };
    return { to: lines.findIndex(({ section }) => section === line?.section) };
  }

  const sortable = useSortable(lines.length, put, targetOf);
  return {
    list,
    move: (from, to) => put(from, to, false),
    sortableOf(line) {
      const row = { ...sortable.row(line), 'data-view': lines[line]?.view?.id };
      return { row, press: sortable.press(line), handle: sortable.handle(line) };
    },
  };
}

function itemOf(list: HTMLElement | null, viewId: string): HTMLElement | null | undefined {
  const lines = [...(list?.querySelectorAll<HTMLElement>('[data-view]') ?? [])];
  return lines.find(({ dataset }) => dataset['view'] === viewId)?.querySelector<HTMLElement>('.tr-item');
}
