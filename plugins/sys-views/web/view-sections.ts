import type { ViewEntity, ViewGroup } from '@trellis/sdk/shared';
import { moved } from '@trellis/sdk/web/ui';

/** A section of views in the side bar and in the switcher. */
export interface ViewSection {
  /** Absent for the ungrouped views. */
  readonly group?: ViewGroup;
  readonly views: readonly ViewEntity[];
}

/** The id of the ungrouped views' section. */
export const ungrouped = 'none';

export function idOfSection({ group }: ViewSection): string {
  return group?.id ?? ungrouped;
}

/** The groups in order, then the ungrouped views; a single unnamed section if there are no groups. */
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

/** A line of the list: a section's heading, or one of its views. */
export interface ViewLine {
  readonly section: ViewSection;
  readonly view?: ViewEntity;
}

export function hasHeadings(sections: readonly ViewSection[]): boolean {
  return sections.some(({ group }) => group !== undefined);
}

/** The visible lines: headings if there are groups, and the views of expanded sections. */
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

/** A view's target: an index among the other views of a section. */
export interface ViewLanding {
  readonly section: ViewSection;
  readonly at: number;
}

/** The target of a view that moves from the line `from` to the line `to`, or into it; undefined above all headings. */
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
  // After the section's hidden views, unless the view comes from above them.
  return { section, at: isFolded && to < from ? othersOf(section).length : to - heading - 1 };
}
