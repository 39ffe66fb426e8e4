import { messageOfError, useHost, type ViewProps } from '@trellis/sdk/web';
import { moved, orderAt } from '@trellis/sdk/web/ui';
import { useSaveViewOptions, type ViewColumn, type ViewColumns } from '@trellis/sdk/web/views';
import { useRef } from 'react';
import { pictureOptions, type FieldOptions, type FormOptions, type PicturePlace } from '../shared/index.ts';

/** What becomes of the options of a form; a function where it depends on what they are then. */
export type FormChange = Partial<FormOptions> | ((now: FormOptions) => Partial<FormOptions>);

/** Saves what is changed of a form; whoever changes it is told of a refusal. */
export function useFormChanges({ view }: ViewProps, { setOptions }: ViewColumns) {
  const { t, api, toast, invalidate } = useHost();
  const saveView = useSaveViewOptions(view);

  /** What is saved of the form, as far as is known here: a second change may come before the first one is read. */
  const known = useRef({
    read: undefined as FormOptions | undefined,
    saved: undefined as FormOptions | undefined,
  });
  const last = useRef<Promise<unknown>>(Promise.resolve());

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

  const savedOf = (options: FormOptions) =>
    (known.current.read === options ? known.current.saved : undefined) ?? options;

  async function save(options: FormOptions, change: FormChange): Promise<void> {
    const before = savedOf(options);
    const after = { ...before, ...(typeof change === 'function' ? change(before) : change) };
    await saveView(after, before);
    known.current = { read: options, saved: after };
  }

  async function savePicture(options: FormOptions, place: PicturePlace, picture?: string): Promise<void> {
    const path = `/api/v1/db/meta/forms/${encodeURIComponent(view.id)}/pictures/${place}`;
    try {
      const { url } = await api.request<{ readonly url: string }>(
        picture === undefined ? { method: 'DELETE', path } : { method: 'PUT', path, body: { picture } },
      );
      known.current = { read: options, saved: { ...savedOf(options), [pictureOptions[place]]: url } };
    } finally {
      invalidate([`view:${view.id}`]);
    }
  }

  /** One after the other: each begins with what the one before left. Resolves with whether it was taken. */
  function next(work: () => Promise<unknown>): Promise<boolean> {
    const done = last.current.then(() => told(work));
    last.current = done;
    return done;
  }

  const patch = ({ inView }: ViewColumn, body: object) =>
    api.request({
      method: 'PATCH',
      path: `/api/v1/db/meta/views/${encodeURIComponent(view.id)}/columns/${encodeURIComponent(inView.id)}`,
      body,
    });

  return {
    setForm: (options: FormOptions, change: FormChange) => next(() => save(options, change)),
    /** Shows another picture there, given in base64, or none. */
    setPicture: (options: FormOptions, place: PicturePlace, picture?: string) =>
      next(() => savePicture(options, place, picture)),
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
