import {
  createToken,
  type AutomationInput,
  type AutomationSettings,
  type CellValue,
  type TemplateValues,
} from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { OutboxEvent } from '../outbox.ts';
import type { ProjectSnapshot } from '../schema.ts';
import type { UsedVariables } from './variables.ts';

/**
 * A trigger of automations, for the registry `automationTriggers` of the plugin `automations`. The plugin that registers it
 * starts the automations that use it by `Automations.start`.
 * @public
 */
export interface AutomationTrigger {
  /** Stored with people's automations; begins with the plugin's own word: `schedules.at`. */
  readonly id: string;
  /** A sentence without its full stop: "A row is added". */
  readonly label: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** Lower comes first. Default 100. */
  readonly order?: number;
  readonly inputs: readonly AutomationInput[];
  /** The setting that names the table whose row starts it: its columns are offered as `{{row.Title}}`. */
  readonly table?: string;
  /** Further values that templates may name, below `{{trigger}}`: `at`, `body`. */
  readonly values?: readonly string[];
  /** True if the row did not exist before: the page does not offer the row before the change. */
  readonly onlyNew?: true;
  /**
   * For a trigger with a `table`: whether a change of a row of that table starts an automation with these settings. Such a
   * trigger need not start anything itself: changes come from the change log, none is missed, and templates get the row, the row
   * before, and `row`, `user`, `table`, `event` below `{{trigger}}`. It must be quick; errors are tried again later. It is also
   * called for a change of a `set` of rows, which starts nothing, but is logged as skipped if it returns true.
   */
  startedBy?(event: OutboxEvent, settings: AutomationSettings): boolean;
  /** Converts settings of an earlier release of the plugin; returns others unchanged. Called before any other method gets them. */
  upgrade?(settings: AutomationSettings): AutomationSettings;
  /** Settings for a copy of the automation in its project: secrets, such as an address, are made new. Default: the same settings. */
  copy?(settings: AutomationSettings, projectId: string): AutomationSettings;
  /** Refuses settings by throwing a `TrellisError` of 400 when an automation is saved. */
  check?(settings: AutomationSettings, snapshot: ProjectSnapshot): void;
}

/** One step of one run, before it is taken. @public */
export interface AutomationStepCall {
  readonly settings: AutomationSettings;
  /** What placeholders stand for: `trigger`, `row`, `previous`, `steps` by name, `env` with the variables that the settings name. */
  readonly values: TemplateValues;
  /** The present rights of the automation's owner. Writes with it are recorded as the run's. */
  readonly scope: AccessScope;
  /** The same in every attempt at this step of this run, also after a server was killed, so that receivers recognise a repetition. */
  readonly idempotencyKey: string;
  /** The ids of the webhooks and automations that led to it, its own automation last; pass them on to receivers by `SignedChains.write`. */
  readonly chain: readonly string[];
  /** Fills in the placeholders of a template; a value that is no text gives an empty one. @throws TrellisError 400 `TEMPLATE_LONG` */
  fill(template: unknown): string;
  /**
   * The value of a template: for a single placeholder the value itself, not its text. `sample` replaces values that only a run
   * knows (see `isOpen`).
   */
  value(template: unknown, sample?: CellValue): unknown;
  /**
   * In a dry run: whether the template names a value that only a run knows, such as data sent to an address, or the key of a row
   * that an earlier step would create. It is filled in as empty, and must not be refused for reasons that may not apply in a run.
   * In a run: false.
   */
  isOpen(template: unknown): boolean;
  /** Masks the secret variables that templates name; use it before shortening a text for display. The log masks texts anyway. */
  readonly mask: UsedVariables['mask'];
  /** Aborts when the server stops, the plugin is disabled, or the step took too long. */
  readonly signal: AbortSignal;
}

/** The result of a step. @public */
export interface AutomationStepResult {
  /** JSON that later steps name by `{{steps.name}}`. */
  readonly output: TemplateValues;
  /** UTC, milliseconds since 1970: the next step is taken then and not earlier, also after a restart. */
  readonly resumeAt?: number;
}

/** A step that is ready to run. @public */
export interface PreparedStep {
  /** The planned action for the log and for a dry run: JSON without secrets. */
  readonly shown: unknown;
  /** The expected output, for later steps of a dry run. */
  readonly expected: TemplateValues;
  /** Paths in the output that only a run knows: `[['key']]`. */
  readonly open?: readonly (readonly string[])[];
  /**
   * Only called in a dry run: throws the errors that `take` would throw, as far as they can be known, without changing or sending
   * anything. Returns the expected output, if it is now known better than in `expected`.
   */
  check?(): Promise<TemplateValues>;
  /**
   * Runs the step. Errors are logged, a `TrellisError` with its message. A status of 429 or from 500 on is tried again later, a
   * few times; any other ends the run.
   */
  take(): Promise<AutomationStepResult>;
}

/** What automations can do, for the registry `automationSteps` of the plugin `automations`. @public */
export interface AutomationStep {
  /** Kept with people's automations; begins with the plugin's own word. */
  readonly id: string;
  /** An order: "Create a row". */
  readonly label: string;
  readonly icon: string;
  /** Lower comes first. Default 100. */
  readonly order?: number;
  readonly inputs: readonly AutomationInput[];
  /** Settings that are stored even while no input exists for them: inputs that come and go with other plugins. */
  readonly keeps?: readonly string[];
  /** What later steps may name of its output. */
  readonly outputs: readonly string[];
  /** Refuses settings by throwing a `TrellisError` of 400 when an automation is saved. */
  check?(settings: AutomationSettings, snapshot: ProjectSnapshot): void;
  /** As `check` and after it, for asynchronous checks; not called for a step with unchanged settings. */
  willSave?(settings: AutomationSettings): Promise<void>;
  /**
   * Determines the action and checks the rights to it, without changing or sending anything, since a dry run ends here. Throws as
   * `take` does.
   */
  prepare(call: AutomationStepCall): Promise<PreparedStep>;
}

/** An automation, for whoever starts it. @public */
export interface AutomationOfTrigger {
  readonly id: string;
  readonly projectId: string;
  /** The settings of its trigger. */
  readonly settings: AutomationSettings;
  /** When its trigger was set or it was last switched on: UTC, milliseconds since 1970. Earlier events do not start it. */
  readonly since: number;
}

/** What happened, for the automations that it starts. @public */
export interface AutomationStart {
  /** At most 60 characters; the same for the same event, which starts an automation only once however often it is reported. */
  readonly eventId: string;
  /** JSON of at most 256 KB that templates name by `{{trigger}}`. */
  readonly trigger: TemplateValues;
  /** The ids of the webhooks and automations that led to it, as `SignedChains.read` gives them. Default none. */
  readonly chain?: readonly string[];
}

/**
 * The outcome of an event. `kept`: a run begins soon. `known`: the event was reported before. `full`: the automation is paused,
 * and too many runs wait for it. `off`: it is switched off or gone. `round`: it was caused by itself, or by too many others in a
 * chain, and is paused for that.
 * @public
 */
export type AutomationStarted =
  | { readonly kind: 'kept' | 'full' | 'off' | 'round' }
  | { readonly kind: 'known'; readonly trigger: TemplateValues };

/** Starts automations. Provided by the plugin `automations`. @beta */
export interface Automations {
  /** The enabled automations with this trigger. */
  list(triggerId: string): Promise<readonly AutomationOfTrigger[]>;
  /** The disabled automations with this trigger. */
  listOff(triggerId: string): Promise<readonly AutomationOfTrigger[]>;
  /** Stores a run for an event, once for each event. */
  start(automationId: string, start: AutomationStart): Promise<AutomationStarted>;
}
/** Automations. @beta */
export const AutomationsToken = createToken<Automations>('automations');
