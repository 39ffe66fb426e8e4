/** Filter operators of ordered types: numbers and dates. */
export const orderOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'btw', 'null', 'notnull'];

/** Filter operators of texts. */
export const textOperators = ['like', 'nlike', 'eq', 'neq', 'empty', 'notempty', 'null', 'notnull'];
