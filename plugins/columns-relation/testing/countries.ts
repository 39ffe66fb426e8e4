import { aColumn, aProject, aTable } from '@trellis/sdk/testing/web';

/** Countries linked to their cities, and the parts of their tables. */
export const project = aProject();
export const id = aColumn('cl_id', 'Id', { uidt: 'ID', pk: true });
export const name = aColumn('cl_name', 'Title', { pv: true });
export const cities = {
  ...aTable([id, name, aColumn('cl_pop', 'Pop', { storage: 'integer' })]),
  id: 'md_city',
  title: 'City',
};
export const link = aColumn('cl_link', 'Cities', {
  uidt: 'LinkToAnotherRecord',
  virtual: true,
  storage: 'virtual',
  colOptions: { type: 'hm', fk_related_model_id: 'md_city' },
});
export const countries = { ...aTable([id, name, link]), id: 'md_country', title: 'Country' };
export const meta = '/api/v1/db/meta';
