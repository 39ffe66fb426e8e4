/** The key of a person's settings of a view, among the values that the plugin stores for them. */
export const ownLookKey = (viewId: string): string => `own-look.${viewId}`;
