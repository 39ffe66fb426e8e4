import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { moved, orderAt } from '@trellis/sdk/web/ui';
import { useSaveViewOptions, type ViewColumn, type ViewColumns } from '@trellis/sdk/web/views';
import type { FieldOptions, FormOptions, PicturePlace } from '../shared/index.ts';

/** What becomes of the options of a form; a function where it depends on what they are then. */
export type FormChange = Partial<FormOptions> | ((now: FormOptions) => Partial<FormOptions>);

/** Saves what is changed of a form; whoever changes it is told of a refusal. */
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
    /** Resolves with whether it was taken, as the other one does. */
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
    /** Shows another picture there, given in base64, or none. */
    setPicture: (place: PicturePlace, picture?: string) => told(() => savePicture(place, picture)),
    setField: (field: ViewColumn, changed: Partial<FieldOptions>) =>
      told(() => setOptions(field, { ...field.options, ...changed })),
    /** Puts a field at a place among those that the form shows, or out of it. */
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
          // There is no number left between the neighbours: all get new ones.
          const all = moved([...others, field], others.length, at);
          for (const [index, each] of all.entries()) await patch(each, { show: true, order: index + 1 });
        } finally {
          invalidate([`view:${view.id}`]);
        }
      }),
  };
}
