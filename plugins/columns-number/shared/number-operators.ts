/** Filter operators of everything that counts. */
export const numberOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'btw', 'null', 'notnull'];
