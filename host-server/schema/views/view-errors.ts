import { defineErrors } from '@trellis/core';

export const viewErrors = defineErrors({
  VIEW_NOT_FOUND: { status: 404, message: 'View not found' },
  VIEW_COLUMN_UNKNOWN: { status: 400, message: 'The table of this view has no such column.' },
  VIEW_TYPE_UNKNOWN: { status: 400, message: "No plugin provides the view type '{type}'." },
  VIEW_TYPE_DISABLED: {
    status: 409,
    message: "The plugin of this view's type '{type}' is switched off, so its options stay as they are.",
  },
  VIEW_OPTIONS_INVALID: { status: 400, message: 'The view cannot be saved like this: {description}' },
  VIEW_OPTIONS_LARGE: {
    status: 400,
    message: 'The options of a view must not be longer than {limit} bytes of JSON.',
  },
  VIEW_COLUMN_OPTIONS_NONE: {
    status: 400,
    message: "Views of the type '{type}' keep no options for their columns.",
  },
  VIEW_ADDITION_DISABLED: {
    status: 409,
    message: "What the view keeps as '{addition}' belongs to a plugin that is switched off or missing.",
  },
  VIEW_RULES_FAILED: {
    status: 500,
    message: "The rules of the view type '{type}' failed, so nothing was saved.",
  },
  VIEW_TITLE_REQUIRED: { status: 400, message: 'View name is required' },
  VIEW_LOCKED: { status: 400, message: 'This view is locked. Unlock it to change how it shows the table.' },
  VIEW_DEFAULT_PERSONAL: {
    status: 400,
    message: 'A personal view is its owner’s alone, and cannot be the one that opens first for everybody.',
  },
  VIEW_FOR_ALL: {
    status: 400,
    message: 'The default view stays visible to everybody. Copy it and make the copy personal.',
  },
  LAST_VIEW: {
    status: 400,
    message: 'This is the only view of the table that everybody sees. Add another one before you delete it.',
  },
  VIEW_ICON_INVALID: { status: 400, message: 'The icon of a view is an emoji or the name of an icon.' },
  VIEW_GROUP_NOT_FOUND: { status: 404, message: 'There is no such group of views.' },
  VIEW_GROUP_TITLE_REQUIRED: { status: 400, message: 'A group of views needs a name.' },
  VIEW_GROUP_TITLE_TAKEN: { status: 409, message: 'Another group of this table is called like that.' },
  VIEW_GROUPS_MANY: { status: 400, message: 'A table has {limit} groups of views at the most.' },
  SORTS_CHANGED: { status: 409, message: 'Somebody else changed the sorts of this view meanwhile.' },
  FILTERS_CHANGED: { status: 409, message: 'Somebody else changed the filters of this view meanwhile.' },
  SORT_NOT_FOUND: { status: 404, message: 'Sort not found' },
  FILTER_NOT_FOUND: { status: 404, message: 'Filter not found' },
  FILTER_PARENT: { status: 400, message: 'A filter can only go into a group of the same view.' },
  FILTER_DEPTH: { status: 400, message: 'Groups of filters can be nested {limit} deep.' },
  FILTER_OPERATOR_UNKNOWN: { status: 400, message: "There is no comparison '{operator}'." },
  FILTER_VALUE_DEPTH: {
    status: 400,
    message: 'The value of a filter must not nest deeper than {limit} levels.',
  },
  FILTER_VALUE_LONG: {
    status: 400,
    message: 'The value of a filter must not be longer than {limit} characters.',
  },
  FILTER_INCOMPLETE: { status: 400, message: 'A filter needs a column and a comparison.' },
});
