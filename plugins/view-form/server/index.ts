import {
  defineServerPlugin,
  FilesToken,
  KeptPictures,
  MailerToken,
  RateLimiterToken,
  viewTypePermissions,
  viewTypeRoutes,
  type SubmitContext,
} from '@trellis/sdk/server';
import { formOptions, formView } from '../shared/index.ts';
import { answerMails } from './answer-mail.ts';
import { formColumnRoutes } from './form-column-routes.ts';
import { isNeeded } from './form-fields.ts';
import { formProperties, toFormEntity, toFormOptions } from './form-entity.ts';
import { checkForm } from './form-rules.ts';
import { migrations } from './migrations.ts';
import { pictureRoutes } from './picture-routes.ts';
import { FormPictures } from './pictures.ts';
import { checkAnswers } from './submit-rules.ts';
import { Tally } from './tally.ts';
import { watchForms } from './watch-forms.ts';

const name = 'a form view';

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const permission of viewTypePermissions(formView.id, name)) ctx.register('permissions', permission);
    const rules = { types: ctx.registry('columnTypes'), operators: ctx.registry('filterOperators') };
    const limiter = ctx.get(RateLimiterToken);
    const tally = new Tally(ctx.db);
    watchForms(ctx, tally);
    const { logger } = ctx;
    const mailer = ctx.get(MailerToken);
    const mail = answerMails({ ...rules, limiter, logger, mailer });
    const kept = new KeptPictures({ db: ctx.db, files: ctx.get(FilesToken), table: 'picture' });
    const pictures = new FormPictures(ctx, kept);
    ctx.register('fileHolders', kept.holder('view-form.pictures'));
    ctx.register('jobs', {
      id: 'view-form.sweep-pictures',
      every: 24 * 60 * 60,
      run: ({ signal }) => pictures.sweep(signal),
    });
    ctx.tap('projects.didPurge', ({ projectId }) => pictures.forgetProject(projectId));
    const counted = ({ view, sender }: SubmitContext) => ({
      viewId: view.id,
      person: formOptions(view.meta).oncePerPerson ? sender.person : undefined,
    });
    ctx.register('viewTypes', {
      ...formView,
      willSave: checkForm(rules),
      // Whoever has the form is asked for what must be answered, and for what somebody chose to ask.
      showsNewColumn: (column) => isNeeded(column, rules.types),
      async willSubmit(values, context) {
        const answers = await checkAnswers(values, context, { ...rules, limiter });
        await tally.take(counted(context), formOptions(context.view.meta).mostAnswers);
        return answers;
      },
      async didSubmit(row, context) {
        if (row === undefined) await tally.giveBack(counted(context));
        else void mail(row, context);
      },
    });
    ctx.routes(
      ...viewTypeRoutes(ctx, {
        type: formView.id,
        plural: 'forms',
        name,
        properties: formProperties,
        toEntity: (found) => ({ ...toFormEntity(found), mail_ready: mailer.isConfigured() }),
        toOptions: toFormOptions,
      }),
      ...formColumnRoutes(ctx),
      ...pictureRoutes(ctx, pictures, kept),
    );
  },
});
