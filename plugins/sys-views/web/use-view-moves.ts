import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { useSortable, type TreeItemProps } from '@trellis/sdk/web/ui';
import { useEffect, useRef, type RefObject } from 'react';
import type { GroupActions } from './use-group-actions.ts';
import {
  idOfSection,
  landingOf,
  type ViewLanding,
  type ViewLine,
  type ViewSection,
} from './view-sections.ts';

/** Moves views and groups in the side bar's list. */
export interface ViewMoves {
  /** The list of the lines. */
  readonly list: RefObject<HTMLUListElement | null>;
  /** Moves from one line to another. */
  move(this: void, from: number, to: number): void;
  /** The properties that make a line draggable. */
  sortableOf(this: void, line: number): NonNullable<TreeItemProps['sortable']>;
}

/** A view that is moving to another section. */
interface Leaving {
  /** Its button in the former section. */
  readonly item: HTMLElement;
  readonly view: string;
  /** The target section. */
  readonly section: string;
}

/** @param unfold expands a section. */
export function useViewMoves(
  lines: readonly ViewLine[],
  groups: readonly ViewGroup[],
  { land, move: moveGroup }: Pick<GroupActions, 'land' | 'move'>,
  unfold: (section: ViewSection) => void,
): ViewMoves {
  const list = useRef<HTMLUListElement>(null);
  const leaving = useRef<Leaving>(undefined);

  // A view in another section is mounted anew, so the focus moves to it, or to the heading that it is collapsed under.
  useEffect(() => {
    const left = leaving.current;
    if (left === undefined || left.item.isConnected) return;
    leaving.current = undefined;
    if (document.activeElement !== document.body) return;
    (itemOf(list.current, 'view', left.view) ?? itemOf(list.current, 'section', left.section))?.focus();
  });

  function put(from: number, to: number, isInto: boolean): void {
    const line = lines[from];
    if (line?.view !== undefined) {
      const landing = landingOf(lines, from, to, isInto);
      if (landing === undefined) return;
      // Keys would lose a view that they move out of sight, so the section is expanded; dragging onto a collapsed heading is
      // intended.
      if (!isInto) unfold(landing.section);
      return void putView(line.section, line.view, landing);
    }
    if (line?.section.group === undefined) return;
    const own = groups.indexOf(line.section.group);
    const over = lines[to]?.section;
    // A group's own views follow its heading; by keys, a group moves by one group.
    const target = over === line.section ? own + Math.sign(to - from) : placeOf(over);
    if (target !== own && target < groups.length) void moveGroup(own, target);
  }

  async function putView(section: ViewSection, view: ViewEntity, landing: ViewLanding): Promise<void> {
    const item = landing.section === section ? undefined : itemOf(list.current, 'view', view.id);
    const left = item ? { item, view: view.id, section: idOfSection(landing.section) } : undefined;
    leaving.current = left;
    const hasMoved = await land(view, landing);
    if (!hasMoved && leaving.current === left) leaving.current = undefined;
  }

  /** The ungrouped views come after the last group. */
  function placeOf(section: ViewSection | undefined): number {
    return section?.group === undefined ? groups.length - 1 : groups.indexOf(section.group);
  }

  /** A view moves into the group whose heading it is dragged to, and a group to the place of the group that it is dragged over. */
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
      const { section, view } = lines[line] ?? {};
      const row = {
        ...sortable.row(line),
        ...(view ? { 'data-view': view.id } : section && { 'data-section': idOfSection(section) }),
      };
      return { row, press: sortable.press(line), handle: sortable.handle(line) };
    },
  };
}

/** The button of a view or of a section's heading. */
function itemOf(list: HTMLElement | null, kind: 'view' | 'section', id: string): HTMLElement | undefined {
  const lines = [...(list?.querySelectorAll<HTMLElement>(`[data-${kind}]`) ?? [])];
  const line = lines.find(({ dataset }) => dataset[kind] === id);
  return line?.querySelector<HTMLElement>('.tr-item') ?? undefined;
}
