import { createToken, type PluginUsage, type SettingsSchema } from '../../shared/index.ts';
import type { AdapterCall } from './mail.ts';

/** A message to people or to another system. @public */
export interface Notification {
  /** The same when it is sent again because it is unknown whether it arrived. */
  readonly id?: string;
  readonly title: string;
  readonly text: string;
  /** An address to open. */
  readonly url?: string;
  /** The subject, for channels that other programs read. */
  readonly payload?: unknown;
}

/** A way to send notifications, for the registry `notificationChannels`: Slack, e-mail, a URL. @public */
export interface NotificationChannel<Settings = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly label: string;
  readonly icon?: string;
  /**
   * The settings for one use of the channel, from which a form is made; the plugin that stores them seals the secrets, and shows them
   * as `Notifier.masked` gives them. A text `to` lists the recipients, separated by commas: each placeholder in it stands for one.
   */
  readonly settings: SettingsSchema;
  /** The current schema, if choices depend on the plugin's settings. */
  settingsNow?(): SettingsSchema;
  /** Whether the plugin's settings allow sending; without this method it always can. */
  isConfigured?(): boolean;
  /** Has 30 seconds. */
  send(settings: Settings, notification: Notification, call: AdapterCall): Promise<void>;
}

/**
 * Something that people set up to tell by notification channels, such as webhooks, for the registry `channelUsers`: whoever is
 * about to switch a channel off is told of it.
 * @beta
 */
export interface ChannelUser {
  readonly id: string;
  /** What several of them are called: "Webhooks". */
  readonly label: string;
  /** How many of all projects are on and tell by a channel. */
  count(channel: Pick<NotificationChannel, 'id' | 'label'>): Promise<number>;
  /** What becomes of them while the channel is off. */
  usage(of: {
    readonly channel: Pick<NotificationChannel, 'id' | 'label'>;
    readonly count: number;
  }): PluginUsage;
}

/**
 * Tells somebody through a channel that a row in the database names. Throws 409 `CHANNEL_DISABLED` for a channel that nobody
 * registers (whoever keeps the row pauses it with that reason), 400 `CHANNEL_SETTINGS` whose `params.problems` are messages by JSON
 * pointer, 502 `ADAPTER_FAILED`, 504 `ADAPTER_TIMEOUT`.
 * @beta
 */
export interface Notifier {
  channels(): readonly {
    readonly id: string;
    readonly label: string;
    readonly icon: string | undefined;
    readonly settings: SettingsSchema;
    readonly pluginId: string;
    /** Whether it is set up. */
    readonly isReady: boolean;
  }[];
  /** The settings as answers show them: each secret is a mask. Of a channel that nobody registers every setting is one. */
  masked(channelId: string, settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Settings that came back from a form, with what is stored in place of each mask. Throws 400 `CHANNEL_SETTINGS` where a stored secret
   * would go to another place than before.
   */
  unmasked(
    channelId: string,
    settings: Readonly<Record<string, unknown>>,
    stored: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** Throws what `send` would throw for these settings now, and sends nothing. */
  check(channelId: string, settings: Readonly<Record<string, unknown>>): void;
  send(
    channelId: string,
    settings: Readonly<Record<string, unknown>>,
    notification: Notification,
  ): Promise<void>;
}
/** Notifications. @beta */
export const NotifierToken = createToken<Notifier>('notifier');
