/** Pixels: a card's minimum width, and its cover's height. */
export const sizes = {
  small: { width: 190, coverHeight: 110 },
  medium: { width: 260, coverHeight: 170 },
  large: { width: 360, coverHeight: 250 },
} as const;

/** Pixels between cards. */
export const gap = 14;
