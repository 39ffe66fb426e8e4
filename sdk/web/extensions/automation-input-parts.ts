import type { ComponentType } from 'react';
import type { ProjectEntity } from '../../shared/index.ts';

/** The props of an input of kind `part` in the editor of automations. @public */
export interface AutomationInputProps {
  readonly project: ProjectEntity;
  readonly label: string;
  /** The value in the draft; empty in a new one. */
  readonly value: string;
  /** Changes the value in the draft, which is stored when the automation is saved. */
  readonly onChange: (value: string) => void;
}

/**
 * Draws inputs of triggers and steps that no built-in kind covers, for the registry `automationInputParts` of the plugin
 * `automations`. @public
 */
export interface AutomationInputPart {
  /** As in `AutomationInput.part`; begins with the plugin's id. */
  readonly id: string;
  readonly Component: ComponentType<AutomationInputProps>;
}
