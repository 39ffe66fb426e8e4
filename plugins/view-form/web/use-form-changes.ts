import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { moved, orderAt } from '@trellis/sdk/web/ui';
import { useSaveViewOptions, type ViewColumn, type ViewColumns } from '@trellis/sdk/web/views';
import type { FieldOptions, FormOptions, PicturePlace } from '../shared/index.ts';

/** A change of a form's options; a function if it depends on the current options. */
export type FormChange = Partial<FormOptions> | ((now: FormOptions) => Partial<FormOptions>);

/** Saves changes of a form; refusals are shown to the person. */
export function useFormChanges({ view }: ViewProps, { setOptions }: ViewColumns) {
  const { t, api, toast, invalidate } = useHost();
  const saveView = useSaveViewOptions(view);

  async function told(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const summary = t('The form could not be changed');
      toast({ severity: 'error', summary, detail: messageOfError(error, t) });
      return false;
    }
  }

  async function savePicture(place: PicturePlace, picture?: string): Promise<void> {
    const path = `/api/v1/db/meta/forms/${encodeURIComponent(view.id)}/pictures/${place}`;
    try {
      await api.request(
        picture === undefined ? { method: 'DELETE', path } : { method: 'PUT', path, body: { picture } },
      );
    } finally {
      invalidate([`view:${view.id}`, `table:${view.fk_model_id}`]);
    }
  }

  const patch = ({ inView }: ViewColumn, body: object) =>
    api.request({
      method: 'PATCH',
      path: `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/columns/${encodeURIComponent(inView.id)}`,
      body,
    });

  return {
    /** Resolves to whether the change was accepted, like `setField`. */
    setForm: (options: FormOptions, change: FormChange) =>
      told(() =>
        saveView(
          (now) => ({
            ...now,
            ...(typeof change === 'function' ? change(now as unknown as FormOptions) : change),
          }),
          { ...options },
        ),
      ),
    /** Sets a picture, given in base64, or removes it. */
    setPicture: (place: PicturePlace, picture?: string) => told(() => savePicture(place, picture)),
    setField: (field: ViewColumn, changed: Partial<FieldOptions>) =>
      told(() => setOptions(field, { ...field.options, ...changed })),
    /** Moves a field to a place among the visible ones, or out of the form. */
    place: (field: ViewColumn, shown: readonly ViewColumn[], at: number | undefined) =>
      told(async () => {
        try {
          if (at === undefined) return void (await patch(field, { show: false }));
          const others = shown.filter((other) => other !== field);
          const order = orderAt(
            others.map(({ inView }) => inView.order),
            at,
          );
          if (order !== undefined) return void (await patch(field, { show: true, order }));
          // No number is left between the neighbours, so all fields get new ones.
          const all = moved([...others, field], others.length, at);
          for (const [index, each] of all.entries()) await patch(each, { show: true, order: index + 1 });
        } finally {
          invalidate([`view:${view.id}`]);
        }
      }),
  };
}
