import type { FilterEntity, SentRequest, SettingsSchema } from '@trellis/sdk/shared';

/** The kind of the live event that tells that webhooks of a project came, changed or went. */
export const hooksObjectKind = 'webhooks';
/** The kind of the one that tells that a webhook was given another secret. It is apart, since it is written down who reads a secret. */
export const secretsObjectKind = 'webhooks.secrets';

/** What a message says of its event: of one row, of several, or of a set of rows that are not known one by one. */
export const eventValues = [
  'id',
  'type',
  'operation',
  'row',
  'rows',
  'count',
  'set',
  'columns',
  'sequence',
  'at',
  'chain',
] as const;

/** The body of a request where nobody wrote another: the whole row. (In quotes it would be taken for a text of the page.) */
export const defaultBody = `{{ json data }}`;

export const hookOperations = ['insert', 'update', 'delete'] as const;
/** What happens to a row. */
export type HookOperation = (typeof hookOperations)[number];

/** Rows that a webhook tells of at once at the most, and the characters of what it says of them. */
export const mostTogether = { rows: 100, characters: 192 * 1024 } as const;

/** The type of an event that no change of a row made, but somebody who sent the row. */
export const byHand = 'manual';

/** What buttons of rows can do: an operation, and what is chosen for it. */
export const sendByButton = {
  id: 'webhooks.send',
  label: 'Send the row to a webhook',
  choiceLabel: 'Webhook',
} as const;

/** The type of webhooks that tell by the mail of this server. */
export const mailType = 'Email';

/** Types that need no plugin. */
export const ownTypes: readonly string[] = ['URL', mailType];

/** Whether two names are of one type: their case says nothing. */
export function isSameType(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A channel that webhooks can tell over. */
export interface HookChannelEntity {
  readonly type: string;
  readonly icon: string | null;
  /** Whose words its settings are called by. */
  readonly plugin: string;
  readonly settings: SettingsSchema;
}

/** How a webhook tells. */
export interface HookNotification {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A webhook as it travels. */
export interface HookEntity {
  readonly id: string;
  readonly base_id: string;
  readonly project_id: string;
  readonly fk_model_id: string;
  readonly title: string;
  readonly description: string | null;
  readonly env: string;
  readonly type: string | null;
  readonly event: 'after' | 'before';
  readonly operation: HookOperation;
  readonly async: boolean;
  readonly payload: boolean;
  readonly url: string | null;
  readonly headers: string | null;
  readonly condition: boolean | null;
  /** JSON of a `HookNotification`. */
  readonly notification: string;
  readonly retries: number | null;
  readonly retry_interval: number | null;
  readonly timeout: number | null;
  readonly active: boolean;
  /** Ours: only changes of these columns count, all where there are none. */
  readonly columns: readonly string[];
  /** Ours: the view whose rows alone are told of, by the filters that it has at the moment; null for all rows. */
  readonly view_id: string | null;
  /** Ours: the rows of one call are told of together, up to `mostTogether` at once. */
  readonly batch: boolean;
  /** Ours: why nothing is sent at the moment although the webhook is on. */
  readonly paused: string | null;
  /** Ours: the reason as a code that pages have words for. */
  readonly paused_code: string | null;
  /**
   * Ours: events since it was paused, or its channel was switched off, that were not kept: because enough of them wait, or because nobody
   * knows whether it means them (`unjudgedCodes`).
   */
  readonly dropped: number;
  /** Ours: the plugin of its channel is switched off; what happens meanwhile waits. */
  readonly is_channel_off: boolean;
  /** Ours: the last message, where it did not arrive and none has since; null while messages arrive, while it is paused or off. */
  readonly failing: {
    /** ISO 8601 in UTC. */
    readonly at: string;
    /** The status of the answer; null where there was none. */
    readonly status: number | null;
    readonly error: string;
  } | null;
  /** Ours: names what is set, conditions among it: a change sends it back as `replaces`. */
  readonly revision: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Reasons of a pause in which nobody knows what the webhook means: what happens meanwhile is counted and not kept. */
export const unjudgedCodes: ReadonlySet<string> = new Set(['HOOK_VIEW_GONE', 'HOOK_CONDITIONS_GONE']);

/** Whether conditions ask for a row as it is after a change or as it was before it. */
export type Moment = 'after' | 'before';

/** A webhook with its conditions. */
export interface WholeHookEntity extends HookEntity {
  readonly conditions: Readonly<Record<Moment, readonly FilterEntity[]>>;
}

/** What was skipped is told to nobody: its rows are not known. */
export type DeliveryState = 'waiting' | 'done' | 'failed' | 'skipped';

/** One try of a message. */
export interface TryEntity {
  /** The status of the answer; null where there was none. */
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  /** As far as it was sent. */
  readonly request: SentRequest | null;
  /** ISO 8601 in UTC. */
  readonly tried_at: string;
}

/** One event on its way to a webhook's receiver. */
export interface DeliveryEntity {
  readonly id: string;
  readonly event_id: string;
  readonly row_id: string;
  /** Rows that were told of together. */
  readonly rows: number;
  /** They were changed by one call, and so many that they are not known one by one: the message holds none of them. */
  readonly of_set: boolean;
  readonly operation: HookOperation;
  /** Somebody sent the row; nothing happened to it. */
  readonly by_hand: boolean;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The status of the last answer; null where there was none. */
  readonly status: number | null;
  readonly error: string | null;
  /** Why it was skipped, as a code with its values that pages have words for. */
  readonly reason: { readonly code: string; readonly params: Readonly<Record<string, unknown>> } | null;
  readonly duration_ms: number | null;
  /** The last request, as far as it was sent. */
  readonly request: SentRequest | null;
  /** What each try came to, the oldest first; of one that is sent again and again, the last ones. */
  readonly tries: readonly TryEntity[];
  /** ISO 8601 in UTC. */
  readonly created_at: string;
  readonly tried_at: string | null;
  readonly next_at: string | null;
}

/** What a try of a webhook came to. */
export interface HookTestAnswer {
  readonly msg: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly request: SentRequest;
}

/** What becomes of webhooks whose channel is switched off. */
export const webhooksByChannel =
  'Webhooks that tell by {{channel}}: {{number}}. What happens while it is off or removed waits for {{days}} days, up to {{events}} events of each webhook, and is sent if it is on again by then.';

/** A channel that a plugin brings, with how the messages of webhooks fare that go by it. */
export interface ChannelStateEntity {
  readonly id: string;
  readonly label: string;
  readonly plugin_id: string;
  /** Whether the settings of its plugin are such that it can send. */
  readonly is_ready: boolean;
  /** What is on and tells by it in all projects: webhooks, automations. */
  readonly users: readonly { readonly label: string; readonly count: number }[];
  /** How many of the webhooks are paused. */
  readonly paused: number;
  /** ISO 8601; null where none did within the time that the log reaches back. */
  readonly arrived_at: string | null;
  readonly failed_at: string | null;
  readonly failure: string | null;
}

export interface ChannelStateAnswer {
  readonly list: readonly ChannelStateEntity[];
}
