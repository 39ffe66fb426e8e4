import { describe, expect, test } from '@jest/globals';
import { tsqlProblems } from './tsql.ts';

describe('the check of T-SQL', () => {
  test.each([
    'select a from t limit 5',
    'select (a = 1) from t',
    'select case when a = 1 then b = 2 end from t',
    'select a from t where b',
    'select a from t where not b',
    'select a from t where (a = 1) and b',
    'select a from t order by a is null',
    'select coalesce(a > 1, 0) from t',
    'select a || b from t',
    'select a::int from t',
    'select a from t where b = true',
    'select `a` from t',
    'select "a" from t',
    "select a from t where a ilike 'b'",
    'insert into t (a) values (1) returning a',
    'select a from t for update',
    'alter table [t] rename to [u]',
    'alter table [t] add column [a] int',
    'selec 1',
    'select a from t where a = ?',
    'select sum((select 1)) from t',
    'select max(case when exists (select 1 from u) then 1 end) from t',
    "select string_agg((select t.a), N'') within group (order by t.a) from t",
    "select string_agg(t.a, N'') within group (order by (select t.b)) from t",
    'select min(sum(t.a)) from t',
    'select count(*) from t group by t.a, (select 1)',
    'select a from t where b in (select c from u order by c)',
    'select (select sum(t.a + u.a) from u) from t',
    'select x.a from (select t.a + 1 from t) as x',
  ])('refuses %s', (sql) => expect(tsqlProblems(sql)).not.toEqual([]));

  test.each([
    "select N'limit 5 || true' as [ilike] from [returning] as t0 with (updlock) where t0.[a] = @p0",
    "exec sp_rename N'[dbo].[it''s]', N'b', N'COLUMN'",
    'alter table [dbo].[t] alter column [a] decimal(10,2) not null',
    'select x.a, count(*) from (select (select 1) as a, t.b as b from t) as x group by x.a having max(x.b) > 1',
    'select (select sum(u.a) from u where u.b = t.b) from t order by (select t.b)',
    'select a from t where b in (select c from u order by c offset 0 rows fetch next 1 rows only)',
    'select row_number() over (partition by t.a order by (select null)) as n, sum(t.b) over (order by t.a) as m from t',
    "select case [a] when 1 then N'true' else N'false' end from [t] order by [a] offset 0 rows fetch next 1 rows only",
  ])('takes %s', (sql) => expect(tsqlProblems(sql)).toEqual([]));
});
