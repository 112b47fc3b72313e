import type { Column } from './column.ts';

/**
 * Inserts rows that are given as columns. What is the same in all rows travels once: each array costs PostgreSQL a pass
 * of its own. The statement's name contains which columns those are, so each form is prepared once a connection; batches of
 * one fleet take few forms. `ending` is what follows the rows, under its name.
 */
export function insertion(
  table: 'position' | 'timeline' | 'position_change',
  columns: readonly Column[],
  ending: { readonly name: string; readonly text: string } = { name: '', text: '' },
): { name: string; text: string; values: unknown[] } {
  const values: unknown[] = [];
  const arrays: string[] = [];
  const selected: string[] = [];
  let form = '';
  for (const { name, type, value, is } of columns) {
    form += is[0];
    if (is === 'column') selected.push(String(value));
    else if (is === 'shared') selected.push(`$${values.push(value)}::${type}`);
    else {
      arrays.push(`unnest($${values.push(value)}::${type}[]) as ${name}`);
      selected.push(name);
    }
  }
  const names = columns.map(({ name }) => name).join(', ');
  // side by side in a select, arrays are walked as they are; in `from` each is first copied into a table of its own
  const text = `insert into ${table} (${names}) select ${selected.join(', ')}
from (select ${arrays.join(', ')}) as t${ending.text}`;
  return { name: `insert-${table}${ending.name}-${form}`, text, values };
}
