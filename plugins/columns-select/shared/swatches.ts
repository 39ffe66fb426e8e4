/** Ten light colours, in the order in which new options take them. */
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

/** Ten dark ones, each the strong tone of its light one. */
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

export const swatches: readonly string[] = [...lightSwatches, ...darkSwatches];
