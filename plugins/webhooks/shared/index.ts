import type { FilterEntity, SentRequest, SettingsSchema } from '@trellis/sdk/shared';

/** The kind of the live event that tells that webhooks of a project came, changed or went. */
export const hooksObjectKind = 'webhooks';

/** What a message says of its event: of one row, or of several. */
export const eventValues = [
  'id',
  'type',
  'operation',
  'row',
  'rows',
  'count',
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

/** Types that need no plugin. */
export const ownTypes: readonly string[] = ['URL', 'Email'];

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
  /** Ours: events since it was paused, or its channel was switched off, that were not kept, because enough of them wait. */
  readonly dropped: number;
  /** Ours: the plugin of its channel is switched off; what happens meanwhile waits. */
  readonly is_channel_off: boolean;
  /** Ours: names what is set, conditions among it: a change sends it back as `replaces`. */
  readonly revision: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Whether conditions ask for a row as it is after a change or as it was before it. */
export type Moment = 'after' | 'before';

/** A webhook with its conditions. */
export interface WholeHookEntity extends HookEntity {
  readonly conditions: Readonly<Record<Moment, readonly FilterEntity[]>>;
}

export type DeliveryState = 'waiting' | 'done' | 'failed';

/** One event on its way to a webhook's receiver. */
export interface DeliveryEntity {
  readonly id: string;
  readonly event_id: string;
  readonly row_id: string;
  /** Rows that were told of together. */
  readonly rows: number;
  readonly operation: HookOperation;
  /** Somebody sent the row; nothing happened to it. */
  readonly by_hand: boolean;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** The status of the last answer; null where there was none. */
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  /** The last request, as far as it was sent. */
  readonly request: SentRequest | null;
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

/** A channel that a plugin brings, with how the messages of webhooks fare that go by it. */
export interface ChannelStateEntity {
  readonly id: string;
  readonly label: string;
  readonly plugin_id: string;
  /** Whether the settings of its plugin are such that it can send. */
  readonly is_ready: boolean;
  /** Webhooks that are on and tell by it, those of all projects, and how many of them are paused. */
  readonly webhooks: number;
  readonly paused: number;
  /** ISO 8601; null where none did within the time that the log reaches back. */
  readonly arrived_at: string | null;
  readonly failed_at: string | null;
  readonly failure: string | null;
}

export interface ChannelStateAnswer {
  readonly list: readonly ChannelStateEntity[];
}
