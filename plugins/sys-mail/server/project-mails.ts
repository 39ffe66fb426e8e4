import {
  MailerToken,
  RateLimiterToken,
  type ProjectMails,
  type ServerPluginContext,
} from '@trellis/sdk/server';
import { defineErrors, TrellisError } from '@trellis/sdk/shared';

const projectMailErrors = defineErrors({
  MAIL_RECIPIENTS: { status: 400, message: 'A mail goes to at most {most} addresses.' },
  MAIL_PROJECT_LIMIT: {
    status: 429,
    message:
      'This project has written to {most} addresses within the hour. What is more waits for the next one.',
  },
});

/** The most addresses of one mail. */
const mostTogether = 50;
const windowSeconds = 3600;

/** See `ProjectMails`. */
/** The settings of the plugin. */
export interface MailSettings {
  /** Where this server is reached, where nothing else says it. */
  readonly siteUrl?: string;
  readonly recipientsPerHour: number;
}

export function createProjectMails(ctx: ServerPluginContext<MailSettings>): ProjectMails {
  const mailer = ctx.get(MailerToken);
  const limiter = ctx.get(RateLimiterToken);
  return {
    async send(projectId, message) {
      const { length } = message.to;
      if (length > mostTogether)
        throw projectMailErrors.create('MAIL_RECIPIENTS', { most: mostTogether, final: 'message' });
      const { recipientsPerHour: most } = ctx.settings.current;
      const rule = { name: 'project-mails', limit: most, windowSeconds };
      try {
        // Each address counts.
        await limiter.consumeEach(message.to.map(() => [rule, projectId] as const));
      } catch (error) {
        if (!(error instanceof TrellisError) || error.status !== 429) throw error;
        const retryAfterMs = Number(error.params.seconds ?? windowSeconds) * 1000;
        throw projectMailErrors.create('MAIL_PROJECT_LIMIT', { most, retryAfterMs }, error);
      }
      await mailer.send(message);
    },
  };
}
