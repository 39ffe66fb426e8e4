import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { moved } from '@trellis/sdk/web/ui';

/** Views that stand together in the side bar and in the switcher. */
export interface ViewSection {
  /** Absent for the views that stand in no group. */
  readonly group?: ViewGroup;
  readonly views: readonly ViewEntity[];
}

/** The id of the section of the views that stand in no group. */
export const ungrouped = 'none';

export function idOfSection({ group }: ViewSection): string {
  return group?.id ?? ungrouped;
}

/** The groups in order, then the views outside of them; one section without a name where there are no groups. */
export function sectionsOf(
  views: readonly ViewEntity[],
  groups: readonly ViewGroup[],
): readonly ViewSection[] {
  const known = new Set(groups.map(({ id }) => id));
  const isFree = ({ group_id: id }: ViewEntity) => !known.has(id ?? '');
  return [
    ...groups.map((group) => ({ group, views: views.filter(({ group_id: id }) => id === group.id) })),
    { views: views.filter(isFree) },
  ];
}

/** A line of the list: the heading of a section, or one of its views. */
export interface ViewLine {
  readonly section: ViewSection;
  readonly view?: ViewEntity;
}

export function hasHeadings(sections: readonly ViewSection[]): boolean {
  return sections.some(({ group }) => group !== undefined);
}

/** The lines that are shown: headings where there are groups, and the views of sections that are not folded. */
export function linesOf(
  sections: readonly ViewSection[],
  isFolded: (section: ViewSection) => boolean,
): readonly ViewLine[] {
  const isHeaded = hasHeadings(sections);
  return sections.flatMap((section) => [
    ...(isHeaded ? [{ section }] : []),
    ...(isFolded(section) ? [] : section.views.map((view) => ({ section, view }))),
  ]);
}

/** Where a view comes to stand: at a place among the other views of a section. */
export interface ViewLanding {
  readonly section: ViewSection;
  readonly at: number;
}

/** Where the view of the line `from` lands that is moved to the line `to`, or into it; undefined above all headings. */
export function landingOf(
  lines: readonly ViewLine[],
  from: number,
  to: number,
  isInto: boolean,
): ViewLanding | undefined {
  const view = lines[from]?.view;
  const othersOf = (section: ViewSection) => section.views.filter((other) => other !== view);
  if (isInto) {
    const section = lines[to]?.section;
    return section && { section, at: othersOf(section).length };
  }
  const after = moved(lines, from, to);
  const heading = after.findLastIndex((line, at) => at < to && line.view === undefined);
  const section =
    heading === -1 ? after.find((line) => line.view !== undefined)?.section : after[heading]?.section;
  const isHeaded = lines.some((line) => line.view === undefined);
  if (section === undefined || (isHeaded && heading === -1)) return undefined;
  const isFolded = !lines.some((line) => line.section === section && line.view !== undefined);
  // Behind the views that are not shown, unless the view comes from above them.
  return { section, at: isFolded && to < from ? othersOf(section).length : to - heading - 1 };
}
