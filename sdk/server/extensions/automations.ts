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
 * What can start an automation, for the registry `automationTriggers` of the plugin `automations`. Whoever registers one starts the
 * automations that chose it by `Automations.start`.
 * @public
 */
export interface AutomationTrigger {
  /** Kept with people's automations; begins with the plugin's own word: `schedules.at`. */
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
  /** What else templates may name, below `{{trigger}}`: `at`, `body`. */
  readonly values?: readonly string[];
  /** For rows that were not there before: the page does not offer the row before the change. */
  readonly onlyNew?: true;
  /**
   * Of a trigger with a `table`: whether a change of a row of that table starts an automation with these settings. Whoever registers such a
   * trigger need not start anything: the changes come from the change log, none is missed, and templates take the row, the one before,
   * and `row`, `user`, `table`, `event` below `{{trigger}}`. It must be quick; what it throws is tried again later.
   * It is asked about a change of a `set` of rows as well, which starts nothing and stands in the log as skipped where it says yes.
   */
  startedBy?(event: OutboxEvent, settings: AutomationSettings): boolean;
  /** Settings that a former release of the plugin took, as this one does; others as they are. Asked before anything else is of them. */
  upgrade?(settings: AutomationSettings): AutomationSettings;
  /** Settings for the copy of an automation in its project: secrets among them, such as an address, are made anew. Default: the same. */
  copy?(settings: AutomationSettings, projectId: string): AutomationSettings;
  /** Refuses settings by throwing a `TrellisError` of 400 when an automation is saved. */
  check?(settings: AutomationSettings, snapshot: ProjectSnapshot): void;
}

/** One step of one run, before it is taken. @public */
export interface AutomationStepCall {
  readonly settings: AutomationSettings;
  /** What placeholders stand for: `trigger`, `row`, `previous`, `steps` by name, `env` with the variables that the settings name. */
  readonly values: TemplateValues;
  /** The rights of the automation's owner as they are now. What is written with it is known as the run's. */
  readonly scope: AccessScope;
  /** The same whenever this step of this run is taken again, also after a server was killed: receivers tell a repetition by it. */
  readonly idempotencyKey: string;
  /** The ids of the webhooks and automations that led to it, its own automation last: `SignedChains.write` tells them to whom it calls. */
  readonly chain: readonly string[];
  /** Fills the placeholders of a template in; what is no text gives an empty one. @throws TrellisError 400 `TEMPLATE_LONG` */
  fill(template: unknown): string;
  /**
   * The value of a template: of one placeholder alone the value itself, not its text. `sample` stands for what only a run knows (see `isOpen`).
   */
  value(template: unknown, sample?: CellValue): unknown;
  /**
   * Of a dry run: whether the template names what only a run knows, such as what is sent to an address, or the key of a row that a step
   * before would create. It is filled in with nothing, and is to be refused for nothing that a run might not refuse it for. In a run: false.
   */
  isOpen(template: unknown): boolean;
  /** Hides the secret variables that templates name, before a text that is shown is cut. What the log shows goes through it anyway. */
  readonly mask: UsedVariables['mask'];
  /** Aborts when the server stops, the plugin is disabled, or the step took too long. */
  readonly signal: AbortSignal;
}

/** What a step came to. @public */
export interface AutomationStepResult {
  /** JSON that later steps name by `{{steps.name}}`. */
  readonly output: TemplateValues;
  /** UTC, milliseconds since 1970: the next step is taken then and not before, also after a restart. */
  readonly resumeAt?: number;
}

/** A step that is ready to be taken. @public */
export interface PreparedStep {
  /** What it will do, as the log and a dry run show it: JSON without secrets. */
  readonly shown: unknown;
  /** What it would give, for the later steps of a dry run. */
  readonly expected: TemplateValues;
  /** What of it only a run knows, by the names on the way there: `[['key']]`. */
  readonly open?: readonly (readonly string[])[];
  /**
   * Asked by a dry run alone: refuses what `take` would be refused, as far as that is known before, and changes and sends nothing. Gives what
   * the step would give, where that is known better now than by `expected`.
   */
  check?(): Promise<TemplateValues>;
  /**
   * Takes the step. What it throws is told in the log, a `TrellisError` in its own words. One of 429 or from 500 on is tried again
   * later, a few times; any other ends the run.
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
  /** Settings that stay with a step also while no input asks for them: those of inputs that come and go with other plugins. */
  readonly keeps?: readonly string[];
  /** What later steps may name of its output. */
  readonly outputs: readonly string[];
  /** Refuses settings by throwing a `TrellisError` of 400 when an automation is saved. */
  check?(settings: AutomationSettings, snapshot: ProjectSnapshot): void;
  /** As `check`, and behind it, for what has to be waited for; not asked of a step whose settings stay as they are. */
  willSave?(settings: AutomationSettings): Promise<void>;
  /**
   * Works out what is to be done and checks the rights to it; changes nothing and sends nothing, since a dry run ends here.
   * Throws as `take` does.
   */
  prepare(call: AutomationStepCall): Promise<PreparedStep>;
}

/** An automation, for whoever starts it. @public */
export interface AutomationOfTrigger {
  readonly id: string;
  readonly projectId: string;
  /** The settings of its trigger. */
  readonly settings: AutomationSettings;
  /** When its trigger was set or it was switched on last: UTC, milliseconds since 1970. What happened before does not start it. */
  readonly since: number;
}

/** What happened, for the automations that it starts. @public */
export interface AutomationStart {
  /** At most 60 characters; the same for the same event, which starts an automation once however often it is told. */
  readonly eventId: string;
  /** JSON of at most 256 KB that templates name by `{{trigger}}`. */
  readonly trigger: TemplateValues;
  /** The ids of the webhooks and automations that led to it, as `SignedChains.read` gives them. Default none. */
  readonly chain?: readonly string[];
}

/**
 * What became of an event. `kept`: a run begins soon. `known`: the event was told before, with this. `full`: the automation is paused, and
 * so much waits for it that no more is kept. `off`: it is switched off or gone. `round`: it was led to by itself, or by too many others, and is
 * paused for that.
 * @public
 */
export type AutomationStarted =
  | { readonly kind: 'kept' | 'full' | 'off' | 'round' }
  | { readonly kind: 'known'; readonly trigger: TemplateValues };

/** Starts automations. Provided by the plugin `automations`. @beta */
export interface Automations {
  /** Those that are on and whose trigger has this id. */
  list(triggerId: string): Promise<readonly AutomationOfTrigger[]>;
  /** Those that are switched off, likewise. */
  listOff(triggerId: string): Promise<readonly AutomationOfTrigger[]>;
  /** Keeps a run of what happened, once for each event. */
  start(automationId: string, start: AutomationStart): Promise<AutomationStarted>;
}
/** Automations. @beta */
export const AutomationsToken = createToken<Automations>('automations');
