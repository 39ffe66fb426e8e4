import { type CellProps, type StyleWithVariables, useT } from '@trellis/sdk/web';

/** A swatch and the colour's code. */
export function MyPluginCell({ value }: CellProps<string>) {
  const t = useT();
  if (value === null) return null;
  const style: StyleWithVariables = { '--my-plugin-colour': value };
  return (
    <span className="my-plugin" style={style} title={t('The colour {{code}}', { code: value })}>
      <i className="my-plugin-swatch" aria-hidden="true" />
      {value}
    </span>
  );
}
