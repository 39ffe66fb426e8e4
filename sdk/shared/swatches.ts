/** Ten light colours, in the order in which new options get them. @public */
export const lightSwatches = [
  '#cfdffe',
  '#d0f1fd',
  '#c2f5e8',
  '#ffdaf6',
  '#ffdce5',
  '#fee2d5',
  '#ffeab6',
  '#d1f7c4',
  '#ede2fe',
  '#eeeeee',
] as const;

/** Ten dark colours, each the strong tone of a light one. @public */
export const darkSwatches = [
  '#2d6fdb',
  '#0a86c2',
  '#0f8f88',
  '#c01a94',
  '#cf2750',
  '#c2501a',
  '#946800',
  '#1c8a2c',
  '#7440d8',
  '#5c6470',
] as const;

/** The colours that people choose from. @public */
export const swatches: readonly string[] = [...lightSwatches, ...darkSwatches];

/** The strong tone of a colour, which is distinguishable as a stripe or a tint; the colour itself if it is no swatch. @public */
export function strongTone(color: string): string {
  const at = (lightSwatches as readonly string[]).indexOf(color.toLowerCase());
  return darkSwatches[at] ?? color;
}
