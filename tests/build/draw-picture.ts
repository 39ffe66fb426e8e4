import { escapeHtml } from '../../sdk/server/escape-html.ts';

/** How items get to a place: by the slot or the menu that they name, or all items of a registry. */
export type PlaceKind = 'slot' | 'menu' | 'registry';

/** A place for plugins' items or, with only words, a part of the page for orientation. */
export interface Box {
  /** Left, top, width, height. */
  readonly at: readonly [number, number, number, number];
  readonly place?: string;
  readonly words?: string;
}

/** One screen of the page; later boxes cover earlier ones. */
export interface Picture {
  readonly name: string;
  readonly title: string;
  readonly height: number;
  readonly boxes: readonly Box[];
}

export const pictureWidth = 800;
const legendHeight = 30;
/** Pixels between a box's frame and its text. */
const inset = 7;
const legendWords: readonly (readonly [PlaceKind, string])[] = [
  ['slot', 'items that name this slot'],
  ['menu', 'entries that name this menu'],
  ['registry', 'all items of this registry'],
];

/**
 * The page's tokens, in dark mode those of its dark look. The kinds also have different frames, for people who cannot distinguish
 * colours.
 */
const style = `
text { font: 11px system-ui, 'Segoe UI', Roboto, sans-serif; fill: #5d6675 }
.place { font: 600 11px ui-monospace, Menlo, Consolas, monospace }
rect { fill: #fff; stroke: #c4cad4 }
rect.slot { fill: #e9eefa; stroke: #1348ba } text.slot { fill: #1348ba }
rect.menu { fill: #fbf3e6; stroke: #96590a; stroke-dasharray: 5 3 } text.menu { fill: #96590a }
rect.registry { fill: #e8f4ed; stroke: #1a7746; stroke-dasharray: 1 2; stroke-width: 2 } text.registry { fill: #1a7746 }
@media (prefers-color-scheme: dark) {
text { fill: #98a2b2 }
rect { fill: #191d23; stroke: #444d5b }
rect.slot { fill: #17273d; stroke: #4fa9ff } text.slot { fill: #7cc0ff }
rect.menu { fill: #2f2718; stroke: #e2a543 } text.menu { fill: #e2a543 }
rect.registry { fill: #182c22; stroke: #45c184 } text.registry { fill: #45c184 }
}
`;

/** An SVG of a screen for light and dark mode. @param kindOf the kind of a place; throws for an unknown one */
export function drawPicture({ title, height, boxes }: Picture, kindOf: (place: string) => PlaceKind): string {
  const size = { width: pictureWidth, height: height + legendHeight };
  const legend = legendWords.flatMap(([kind, words], index) => {
    const left = 8 + index * 220;
    return [drawRect([left, height + 8, 16, 14], kind), drawText(words, left + 24, height + 19)];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    `<rect width="${size.width}" height="${size.height}" stroke="none"/>`,
    ...boxes.flatMap((box) => drawBox(box, kindOf)),
    ...legend,
    '</svg>',
  ].join('\n')}\n`;
}

/** A box's text from its upper left corner: the place, and the words after or below it. */
export function linesOf({ at: [x, y, , height], place, words }: Box): readonly Line[] {
  const first = y + Math.min(16, height / 2 + 4);
  const lines = [
    ...(place === undefined ? [] : [{ text: place, isPlace: true }]),
    ...(words === undefined ? [] : [{ text: words, isPlace: false }]),
  ];
  return lines.map((line, index) => ({ ...line, x: x + inset, y: first + index * 15 }));
}

/** A line of text with its position. */
interface Line {
  readonly text: string;
  readonly isPlace: boolean;
  readonly x: number;
  readonly y: number;
}

function drawBox(box: Box, kindOf: (place: string) => PlaceKind): readonly string[] {
  const kind = box.place === undefined ? undefined : kindOf(box.place);
  return [
    drawRect(box.at, kind),
    ...linesOf(box).map(({ text, isPlace, x, y }) =>
      drawText(text, x, y, isPlace ? `place ${kind}` : undefined),
    ),
  ];
}

function drawRect([x, y, width, height]: Box['at'], kind: PlaceKind | undefined): string {
  const place = `x="${x + 0.5}" y="${y + 0.5}" width="${width - 1}" height="${height - 1}" rx="4"`;
  return `<rect${classOf(kind)} ${place}/>`;
}

function drawText(text: string, x: number, y: number, kind?: string): string {
  return `<text${classOf(kind)} x="${x}" y="${y}">${escapeHtml(text)}</text>`;
}

function classOf(name: string | undefined): string {
  return name === undefined ? '' : ` class="${name}"`;
}
