import { submitMark } from '#plugins/shared-views/shared';
import { formView } from '#plugins/view-form/shared';
import { defineServerPlugin, type Change, type ChangeMark } from '@trellis/sdk/server';
import { formAnswered } from '../shared/index.ts';

/** Marks changes of calls that go through a form, including a member's own page: the id of the form. */
const formMark: ChangeMark = {
  id: 'automation-forms.form',
  read({ table }) {
    const view = table?.view;
    return view?.type === formView.id ? view.id : undefined;
  },
};

/** The form that created a new row, by its link or inside a project; undefined for any other change. */
function formOf({ op, marks }: Change): string | undefined {
  return op === 'insert' ? (marks?.[submitMark] ?? marks?.[formMark.id]) : undefined;
}

export default defineServerPlugin({
  setup(ctx) {
    ctx.register('changeMarks', formMark);
    ctx.register('automationTriggers', {
      ...formAnswered,
      startedBy: ({ change }, { form }) => formOf(change) === form,
    });
  },
});
