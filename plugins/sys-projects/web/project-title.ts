/** The field accepts slightly more characters than a title may have, so that the limit is explained instead of cutting the text. */
export const longestTitle = 60;

/** A project title's problem, or undefined. */
export function titleProblem(title: string): string | undefined {
  if (title.trim() === '') return 'Project title is required';
  return title.trim().length > 50 ? 'Project title exceeds 50 characters' : undefined;
}
