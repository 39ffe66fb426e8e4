import { useT, type Translate } from '@trellis/sdk/web';
import { Notice } from '@trellis/sdk/web/ui';
import type { PrefillProblem } from './use-prefilled.ts';

/** Lists the values of the form's address that could not be filled in. */
export function PrefillProblems({ problems }: { readonly problems: readonly PrefillProblem[] }) {
  const t = useT();
  if (problems.length === 0) return null;
  return (
    <Notice severity="warn">
      <ul className="form-prefill-problems">
        {problems.map((problem) => (
          <li key={problem.name} dir="auto">
            {textOf(problem, t)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function textOf({ field, name, text, message }: PrefillProblem, t: Translate): string {
  if (field === undefined)
    return t('The link fills in “{{name}}”, which is no field of this form.', { name });
  const said = t('The link fills in “{{field}}” with “{{text}}”, which is not taken: {{message}}', {
    field: field.label,
    text,
    message,
  });
  const advice = field.options.hidden
    ? t('The field stays empty. Tell whoever gave you the link.')
    : t('Please answer it yourself.');
  return `${said} ${advice}`;
}
