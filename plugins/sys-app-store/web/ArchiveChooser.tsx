import { useT } from '@trellis/sdk/web';
import { FileDrop, Notice, type ChosenFolder } from '@trellis/sdk/web/ui';

/** Takes the archive of a plugin, or the folder that it was built in, chosen or dropped. */
export function ArchiveChooser(props: {
  readonly problem: string | undefined;
  readonly onChoose: (file: File) => void;
  readonly onChooseFolder: (folder: ChosenFolder) => void;
}) {
  const t = useT();
  return (
    <FileDrop
      label={t('Archive of a plugin')}
      accept=".tgz,application/gzip"
      hint={t(
        'or drop the archive of a plugin (.tgz) or its built folder here. Nothing of it runs before you say so.',
      )}
      problem={props.problem !== undefined && <Notice severity="error">{props.problem}</Notice>}
      folder={{ label: t('Folder of a plugin'), onChoose: props.onChooseFolder }}
      onChoose={props.onChoose}
    />
  );
}
