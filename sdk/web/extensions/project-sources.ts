import type { ComponentType } from 'react';
import type { ProjectEntity } from '../../shared/index.ts';
import type { Offer, ShellContext } from './shell.ts';

/** A way to create a project. @public */
export interface ProjectSource extends Offer<ShellContext> {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly order?: number;
  /** The width of the dialog, in pixels. Default: that of a form. */
  readonly width?: number;
  readonly Component: ComponentType<{
    readonly onDone: (project: ProjectEntity) => void;
    readonly onCancel: () => void;
  }>;
}
