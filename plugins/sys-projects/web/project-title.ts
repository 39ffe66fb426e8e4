/** Characters that the field takes: a few more than a title may have, so that the limit is explained and nothing is cut. */
export const longestTitle = 60;

/** What is wrong with a project's title, or undefined. */
export function titleProblem(title: string): string | undefined {
  if (title.trim() === '') return 'Project title is required';
  return title.trim().length > 50 ? 'Project title exceeds 50 characters' : undefined;
}
