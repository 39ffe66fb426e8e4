import type { ProjectEntity } from '@trellis/sdk/shared';
import { Contribution, useT, type ProjectSource } from '@trellis/sdk/web';
import { Dialog, Skeleton } from '@trellis/sdk/web/ui';

/** The form of one way to create a project. */
export function NewProjectDialog(props: {
  readonly source: ProjectSource;
  readonly onDone: (project: ProjectEntity) => void;
  readonly onClose: () => void;
}) {
  const { source } = props;
  const t = useT();
  return (
    <Dialog title={t(source.label)} width={source.width} keepsInput onClose={props.onClose}>
      <Contribution
        registry="projectSources"
        id={source.id}
        what={source.label}
        fallback={<Skeleton height={160} />}
      >
        <source.Component onDone={props.onDone} onCancel={props.onClose} />
      </Contribution>
    </Dialog>
  );
}
