import {
  AccessServiceToken,
  defineServerPlugin,
  FilesToken,
  followGoneViews,
  KeptPictures,
  LettersToken,
  RateLimiterToken,
  viewTypePermissions,
  viewTypeRoutes,
  type SubmitContext,
} from '@trellis/sdk/server';
import { formOptions, formView } from '../shared/index.ts';
import { formMailNotice } from '../shared/notices.ts';
import { answerMails } from './answer-mail.ts';
import { formColumnRoutes } from './form-column-routes.ts';
import { isNeeded } from './form-fields.ts';
import { createFormsOf } from './forms-of.ts';
import { formProperties, toFormEntity, toFormOptions } from './form-entity.ts';
import { checkForm } from './form-rules.ts';
import { migrations } from './migrations.ts';
import { pictureRoutes } from './picture-routes.ts';
import { FormPictures } from './pictures.ts';
import { createProgramTrap } from './program-trap.ts';
import { assertOpen, checkAnswers } from './submit-rules.ts';
import { createSweepTally } from './sweep-tally.ts';
import { Tally, type Counted } from './tally.ts';

const name = 'a form view';
/** Seconds. */
const day = 24 * 60 * 60;

export default defineServerPlugin({
  migrations,
  setup(ctx) {
    for (const permission of viewTypePermissions(formView.id, name)) ctx.register('permissions', permission);
    const rules = { types: ctx.registry('columnTypes'), operators: ctx.registry('filterOperators') };
    const limiter = ctx.get(RateLimiterToken);
    const tally = new Tally(ctx.db);
    const trap = createProgramTrap();
    const formsOf = createFormsOf(ctx);
    followGoneViews(ctx, {
      keptOf: async ({ viewId }) => ((await tally.isCounted(viewId)) ? [viewId] : []),
      async didGo(forms) {
        for (const viewId of forms) await tally.forget(viewId);
      },
    });
    const sweepTally = createSweepTally(ctx, tally, formsOf);
    ctx.register('jobs', {
      id: 'view-form.sweep-tally',
      every: day,
      run: ({ signal }) => sweepTally(signal),
    });
    const { logger } = ctx;
    ctx.register('noticeKinds', formMailNotice);
    const letters = () => ctx.find(LettersToken);
    const access = ctx.get(AccessServiceToken);
    const mail = answerMails({ ...rules, limiter, logger, letters, access });
    const kept = new KeptPictures({ db: ctx.db, files: ctx.get(FilesToken), table: 'picture' });
    const pictures = new FormPictures(ctx, kept, formsOf);
    ctx.register('fileHolders', kept.holder('view-form.pictures'));
    ctx.register('jobs', {
      id: 'view-form.sweep-pictures',
      every: day,
      run: ({ signal }) => pictures.sweep(signal),
    });
    ctx.tap('projects.didPurge', ({ projectId }) => pictures.forgetProject(projectId));
    const countedOf = (
      { id: viewId, meta }: SubmitContext['view'],
      { person, stranger }: Pick<SubmitContext['sender'], 'person' | 'stranger'>,
    ): Counted =>
      formOptions(meta).oncePerPerson
        ? { viewId, person, stranger }
        : { viewId, person: undefined, stranger: undefined };
    const counted = ({ view, sender }: SubmitContext) => countedOf(view, sender);
    ctx.register('viewTypes', {
      ...formView,
      willSave: checkForm(rules),
      // A shared form asks only for what is required, and for what somebody added.
      showsNewColumn: (column) => isNeeded(column, rules.types),
      async assertOpen(view, person, stranger) {
        assertOpen(view);
        const { mostAnswers } = formOptions(view.meta);
        const asked = countedOf(view, { ...(person && { person }), ...(stranger && { stranger }) });
        if (mostAnswers > 0 || asked.person !== undefined) await tally.check(asked, mostAnswers);
      },
      async willSubmit(values, context) {
        const answers = await checkAnswers(values, context, { ...rules, limiter });
        await tally.take(counted(context), formOptions(context.view.meta).mostAnswers);
        return answers;
      },
      handOut: (view) => trap.sign(view),
      isProgram: (context) => trap.catches(context),
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
        toEntity: (found) => ({ ...toFormEntity(found), mail_ready: letters()?.canSend({}) === true }),
        toOptions: toFormOptions,
      }),
      ...formColumnRoutes(ctx),
      ...pictureRoutes(ctx, pictures, kept),
    );
  },
});
