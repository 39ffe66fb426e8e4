import type { ProjectEntity } from '@trellis/sdk/shared';
import type { ProjectSource } from '@trellis/sdk/web';
import { useHost } from '@trellis/sdk/web';
import { Dialog } from 'primereact/dialog';
import { Suspense } from 'react';
import { useReturnFocus } from './use-return-focus.ts';

/** The form of one way to begin a project. */
export function NewProjectDialog(props: {
  readonly source: ProjectSource;
  readonly onDone: (project: ProjectEntity) => void;
  readonly onClose: () => void;
}) {
  const { source } = props;
  const { Boundary, registry, t } = useHost();
  useReturnFocus();
  return (
    <Dialog
      visible
      modal
      draggable={false}
      resizable={false}
      header={t(source.label)}
      className="projects-dialog"
      onHide={props.onClose}
    >
      <Boundary owner={registry('projectSources').ownerOf(source.id) ?? source.id} what={source.label}>
        <Suspense fallback={<div className="tr-skeleton tr-skeleton--form" />}>
          <source.Component onDone={props.onDone} onCancel={props.onClose} />
        </Suspense>
      </Boundary>
    </Dialog>
  );
}
