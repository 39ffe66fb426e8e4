/** The key under which the page keeps how a person looks at a view, among the values that the plugin keeps for them. */
export const ownLookKey = (viewId: string): string => `own-look.${viewId}`;
