import type { ComponentType } from 'react';
import type { ProjectEntity } from '../../shared/index.ts';

/** What is drawn for an input of kind `part` in the builder of automations. @public */
export interface AutomationInputProps {
  readonly project: ProjectEntity;
  readonly label: string;
  /** As it is in the draft; empty in a new one. */
  readonly value: string;
  /** Puts another value into the draft; it is kept when the automation is saved. */
  readonly onChange: (value: string) => void;
}

/** Draws settings of triggers and steps that no kind of input covers, for the registry `automationInputParts` of the plugin `automations`. @public */
export interface AutomationInputPart {
  /** As `AutomationInput.part` names it; begins with the plugin's id. */
  readonly id: string;
  readonly Component: ComponentType<AutomationInputProps>;
}
