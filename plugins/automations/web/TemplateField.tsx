import { useT } from '@trellis/sdk/web';
import { TemplateField as Field, type TemplateNaming } from '@trellis/sdk/web/ui';
import { offeredNames, shapeOf, type OfferedName, type TemplateNames } from '../shared/index.ts';

/** The names that a step's templates can use, in the page's language. */
export function useNaming(names: TemplateNames): TemplateNaming {
  const t = useT();
  const groups: Readonly<Record<OfferedName['group'], string>> = {
    item: t('The row of this turn'),
    row: t('The row'),
    previous: t('The row before the change'),
    trigger: t('What started it'),
    steps: t('Earlier steps'),
    variables: t('Variables'),
  };
  return {
    shape: shapeOf(names),
    offered: offeredNames(names).map((name) => ({ ...name, group: groups[name.group] })),
  };
}

interface TemplateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly names: TemplateNames;
  readonly isLong?: boolean;
  readonly placeholder?: string | undefined;
  readonly help?: string | undefined;
  /** A further problem of the field. */
  readonly problem?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A text with the step's placeholders. */
export function TemplateField({ names, isLong = false, ...props }: TemplateFieldProps) {
  return <Field {...props} naming={useNaming(names)} rows={isLong ? 5 : undefined} />;
}
