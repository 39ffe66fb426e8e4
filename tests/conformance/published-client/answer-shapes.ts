/*
 * The shapes of the answers, as in sections 5 to 12, 14, 16 and 17 of the contract. The listed properties must exist; an answer may
 * have more.
 */

const text = { type: 'string' };
const textOrNone = { type: ['string', 'null'] };
const number = { type: 'number' };
/** In metadata: 0 and 1, or false and true. */
const flag = { enum: [true, false, 0, 1] };
const flagOrNone = { enum: [true, false, 0, 1, null] };
const anything = {};
const nothing = { const: '' };
const one = { const: 1 };
const success = { const: { msg: 'success' } };
const idOf = (...prefixes: readonly string[]) => ({
  type: 'string',
  pattern: `^(?:${prefixes.join('|')})_[0-9a-z]{14}$`,
});
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d' };
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' };

const entity = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const array = (items: object, minItems = 1) => ({ type: 'array', items, minItems });
const list = (items: object) => entity({ list: array(items) });
const page = (items: object) =>
  entity({
    list: array(items),
    pageInfo: entity({
      totalRows: number,
      page: number,
      pageSize: number,
      isFirstPage: { type: 'boolean' },
      isLastPage: { type: 'boolean' },
    }),
  });

const times = { created_at: time, updated_at: time };
const ofBase = { base_id: idOf('ds'), project_id: idOf('p') };

const projectFields = {
  id: idOf('p'),
  title: text,
  prefix: { type: 'string', pattern: '^nc_[0-9a-z_]{4}__$' },
  status: textOrNone,
  description: textOrNone,
  meta: anything,
  color: textOrNone,
  uuid: textOrNone,
  password: { type: 'null' },
  roles: textOrNone,
  deleted: flag,
  order: { type: ['number', 'null'] },
  is_meta: flag,
  ...times,
};
const base = entity({
  id: idOf('ds'),
  project_id: idOf('p'),
  alias: textOrNone,
  is_meta: flag,
  type: { enum: ['sqlite3', 'pg', 'mysql2', 'mssql'] },
  inflection_column: text,
  inflection_table: text,
  ...times,
});
const project = entity({ ...projectFields, bases: array(base) });

const sharedBase = entity({ uuid, roles: { enum: ['viewer', 'editor'] }, url: text });

const viewFields = {
  id: idOf('vw'),
  ...ofBase,
  fk_model_id: idOf('md'),
  title: text,
  type: { enum: [1, 2, 3, 4] },
  is_default: flagOrNone,
  show_system_fields: flagOrNone,
  lock_type: { enum: ['collaborative', 'locked', 'personal'] },
  uuid: textOrNone,
  show: flag,
  order: number,
  meta: anything,
  ...times,
};
const view = entity(viewFields);
const disabled = entity(
  Object.fromEntries(
    ['owner', 'creator', 'editor', 'commenter', 'viewer', 'guest'].map((role) => [role, { type: 'boolean' }]),
  ),
);
const listedView = entity({
  ...viewFields,
  ptn: text,
  _ptn: text,
  ptype: { enum: ['table', 'view'] },
  tn: text,
  _tn: text,
  view: entity({ fk_view_id: idOf('vw') }),
  disabled,
});
const sharedView = entity({ ...viewFields, uuid });

const column = entity({
  id: idOf('cl'),
  ...ofBase,
  fk_model_id: idOf('md'),
  title: text,
  column_name: textOrNone,
  uidt: text,
  dt: textOrNone,
  dtx: textOrNone,
  dtxp: textOrNone,
  dtxs: textOrNone,
  pk: flagOrNone,
  pv: flagOrNone,
  rqd: flagOrNone,
  un: flagOrNone,
  ai: flagOrNone,
  unique: flagOrNone,
  au: flagOrNone,
  cdf: anything,
  validate: textOrNone,
  virtual: flagOrNone,
  system: flagOrNone,
  order: { type: ['number', 'null'] },
  meta: anything,
  ...times,
});
const tableFields = {
  id: idOf('md'),
  ...ofBase,
  table_name: text,
  title: text,
  type: { enum: ['table', 'view'] },
  meta: anything,
  schema: anything,
  enabled: flagOrNone,
  mm: flag,
  order: number,
  ...times,
};
const table = entity({
  ...tableFields,
  columns: array(column),
  views: array(listedView),
  columnsById: { type: 'object', minProperties: 1, additionalProperties: column },
});

const viewColumnFields = {
  id: idOf('nc', 'fvc', 'gvc', 'kvc'),
  fk_view_id: idOf('vw'),
  fk_column_id: idOf('cl'),
  ...ofBase,
  show: flag,
  order: number,
  ...times,
};
const viewColumn = entity(viewColumnFields);
const gridColumn = entity({ ...viewColumnFields, width: { type: 'string', pattern: '^\\d+px$' } });
const formColumn = entity({
  ...viewColumnFields,
  label: textOrNone,
  help: textOrNone,
  description: textOrNone,
  required: flagOrNone,
  meta: anything,
});
const form = entity({
  ...ofBase,
  fk_view_id: idOf('vw'),
  heading: textOrNone,
  subheading: textOrNone,
  success_msg: textOrNone,
  redirect_url: textOrNone,
  redirect_after_secs: anything,
  email: textOrNone,
  submit_another_form: flagOrNone,
  show_blank_form: flagOrNone,
  uuid: textOrNone,
  banner_image_url: textOrNone,
  logo_url: textOrNone,
  columns: array(formColumn),
  ...times,
});
const gallery = entity({ ...ofBase, fk_view_id: idOf('vw'), fk_cover_image_col_id: textOrNone, ...times });

const sort = entity({
  id: idOf('so'),
  ...ofBase,
  fk_view_id: idOf('vw'),
  fk_column_id: idOf('cl'),
  direction: { enum: ['asc', 'desc', null] },
  order: number,
  ...times,
});
const filterFields = {
  id: idOf('fi'),
  ...ofBase,
  fk_column_id: textOrNone,
  fk_parent_id: textOrNone,
  logical_op: { enum: ['and', 'or', 'not'] },
  comparison_op: textOrNone,
  value: anything,
  is_group: flagOrNone,
  order: number,
  ...times,
};
const filter = entity({ ...filterFields, fk_view_id: idOf('vw'), fk_hook_id: { type: 'null' } });
const hookFilter = entity({ ...filterFields, fk_view_id: { type: 'null' }, fk_hook_id: idOf('hk') });

/** A row of the table `City`. */
const row = entity({ Id: number, Name: text, People: { type: ['number', 'string', 'null'] } });
const oneRowEach = { type: 'array', items: one, minItems: 1 };
const counts = page(entity({ count: { type: ['number', 'string'] }, name: text }));
/** Callers of exports get the whole answer. */
const exported = entity({ status: { const: 200 }, headers: { type: 'object' }, data: text });

const audit = entity({
  id: { type: 'string', pattern: '^adt_' },
  user: textOrNone,
  ip: textOrNone,
  base_id: textOrNone,
  project_id: textOrNone,
  fk_model_id: textOrNone,
  row_id: textOrNone,
  op_type: text,
  op_sub_type: textOrNone,
  status: textOrNone,
  description: textOrNone,
  details: textOrNone,
  ...times,
});

const plugin = entity({
  id: text,
  title: text,
  description: text,
  active: flag,
  rating: { type: ['number', 'null'] },
  version: text,
  docs: textOrNone,
  status: textOrNone,
  status_details: textOrNone,
  logo: textOrNone,
  icon: textOrNone,
  tags: { type: 'string', pattern: '^[A-Z]' },
  category: { type: 'string', pattern: '^[A-Z]' },
  input_schema: textOrNone,
  input: textOrNone,
  creator: textOrNone,
  creator_website: textOrNone,
  price: textOrNone,
});

const token = entity({
  // The product's id is not a row's number; no client depends on it.
  id: text,
  project_id: textOrNone,
  description: text,
  permissions: anything,
  token: text,
  expiry: anything,
  enabled: flag,
  ...times,
});

/** By the client's calls. */
export const answerShapes: Readonly<Record<string, object>> = {
  'project.list': page(entity(projectFields)),
  'project.create': project,
  'project.read': project,
  'project.update': one,
  'project.delete': one,
  'project.metaGet': entity({
    Node: text,
    Arch: text,
    Platform: text,
    Docker: { type: 'boolean' },
    Database: text,
    ProjectOnRootDB: { type: 'boolean' },
    RootDB: text,
    PackageVersion: text,
  }),
  'project.modelVisibilityList': array(listedView),
  'project.modelVisibilitySet': success,
  'project.sharedBaseGet': { anyOf: [{ const: { uuid: null, roles: null } }, sharedBase] },
  'project.sharedBaseCreate': sharedBase,
  'project.sharedBaseUpdate': sharedBase,
  'project.sharedBaseDisable': { const: { uuid: null } },
  'project.cost': entity({ cost: number }),
  'project.metaDiffGet': array(
    entity({
      title: text,
      table_name: text,
      type: { enum: ['table', 'view'] },
      detectedChanges: array(entity({ type: text, msg: text }), 0),
    }),
  ),
  'project.metaDiffSync': success,
  'project.auditList': page(audit),
  'public.sharedBaseGet': entity({ project_id: idOf('p') }),
  'auth.projectUserList': entity({
    users: page(
      entity({
        // An invited person has no account yet.
        id: text,
        email: text,
        invite_token: textOrNone,
        main_roles: text,
        project_id: textOrNone,
        roles: textOrNone,
      }),
    ),
  }),
  'auth.projectUserAdd': entity({ invite_token: text, email: text }),
  'auth.projectUserUpdate': { const: { msg: 'User details updated successfully' } },
  'auth.projectUserRemove': success,
  'apiToken.create': token,
  'apiToken.list': array(token),
  'apiToken.delete': { enum: [0, 1] },
  'dbTable.create': table,
  'dbTable.list': list(entity(tableFields)),
  'dbTable.read': table,
  'dbTable.update': success,
  'dbTable.delete': { const: true },
  'dbTable.reorder': { type: 'object' },
  'dbTableColumn.create': table,
  'dbTableColumn.update': table,
  'dbTableColumn.delete': table,
  'dbTableColumn.primaryColumnSet': { const: true },
  'dbView.list': list(listedView),
  'dbView.update': view,
  'dbView.delete': nothing,
  'dbView.showAllColumn': nothing,
  'dbView.hideAllColumn': number,
  'dbView.gridCreate': view,
  'dbView.formCreate': view,
  'dbView.formUpdate': one,
  'dbView.formRead': form,
  'dbView.formColumnUpdate': nothing,
  'dbView.gridColumnsList': array(gridColumn),
  'dbView.gridColumnUpdate': nothing,
  'dbView.galleryCreate': view,
  'dbView.galleryUpdate': one,
  'dbView.galleryRead': gallery,
  'dbViewShare.list': array(sharedView),
  'dbViewShare.create': sharedView,
  'dbViewShare.update': sharedView,
  'dbViewShare.delete': nothing,
  'dbViewColumn.list': array(viewColumn),
  'dbViewColumn.create': viewColumn,
  'dbViewColumn.update': { const: [] },
  'dbTableSort.list': entity({ sorts: list(sort) }),
  'dbTableSort.create': sort,
  'dbTableSort.get': sort,
  'dbTableSort.update': nothing,
  'dbTableSort.delete': nothing,
  'dbTableFilter.read': array(filter),
  'dbTableFilter.create': filter,
  'dbTableFilter.get': filter,
  'dbTableFilter.update': nothing,
  'dbTableFilter.delete': nothing,
  'dbTableFilter.childrenRead': array(filter),
  'dbTableWebhookFilter.read': array(hookFilter),
  'dbTableWebhookFilter.create': hookFilter,
  'dbTableRow.list': page(row),
  'dbTableRow.create': row,
  'dbTableRow.findOne': row,
  'dbTableRow.groupBy': counts,
  'dbTableRow.read': row,
  'dbTableRow.update': row,
  'dbTableRow.delete': one,
  'dbTableRow.exist': { type: 'boolean' },
  'dbTableRow.bulkCreate': array(entity({ Id: { type: ['number', 'string'] } })),
  'dbTableRow.bulkUpdate': oneRowEach,
  'dbTableRow.bulkDelete': oneRowEach,
  'dbTableRow.bulkUpdateAll': number,
  'dbTableRow.bulkDeleteAll': number,
  'dbTableRow.csvExport': exported,
  'dbTableRow.nestedList': page(row),
  'dbTableRow.nestedAdd': success,
  'dbTableRow.nestedRemove': success,
  'dbTableRow.nestedChildrenExcludedList': page(row),
  'dbViewRow.list': page(row),
  'dbViewRow.create': row,
  'dbViewRow.findOne': row,
  'dbViewRow.groupBy': counts,
  'dbViewRow.count': entity({ count: { type: ['number', 'string'] } }),
  'dbViewRow.read': row,
  'dbViewRow.update': row,
  'dbViewRow.delete': one,
  'dbViewRow.exist': { type: 'boolean' },
  'dbViewRow.export': exported,
  'utils.commentList': array(audit),
  'utils.commentRow': nothing,
  'utils.commentCount': array(entity({ row_id: text, count: { type: ['number', 'string'] } })),
  'utils.auditRowUpdate': nothing,
  'plugin.list': list(plugin),
  'plugin.status': { type: 'boolean' },
  'plugin.update': plugin,
  'plugin.read': plugin,
  'storage.upload': array(entity({ url: text, title: text, mimetype: text, size: number })),
};

/** Calls of those sections that always fail in a test without another server, with the uniform shape of refusals. */
export const refusedCalls: readonly string[] = [
  // Nothing that sends mail is set up.
  'auth.projectUserResendInvite',
  // Addresses in the server's network are blocked.
  'plugin.test',
  'storage.uploadByUrl',
];
