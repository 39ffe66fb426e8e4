import { useT } from '@trellis/sdk/web';
import { FileDrop, Notice } from '@trellis/sdk/web/ui';

/** Takes the archive of a plugin, chosen or dropped. */
export function ArchiveChooser(props: {
  readonly problem: string | undefined;
  readonly onChoose: (file: File) => void;
}) {
  const t = useT();
  return (
    <FileDrop
      label={t('Archive of a plugin')}
      accept=".tgz,application/gzip"
      hint={t('or drop the archive of a plugin (.tgz) here. Nothing of it runs before you say so.')}
      problem={props.problem !== undefined && <Notice severity="error">{props.problem}</Notice>}
      onChoose={props.onChoose}
    />
  );
}
