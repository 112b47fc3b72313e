import { type ColumnDef, createColumnHelper, metaHelper, tableFeatures, useTable } from '@tanstack/react-table';

interface CellMeta {
  /** class of the cells: `answer` for text that may be broken anywhere */
  readonly className?: string;
}

const features = tableFeatures({ columnMeta: metaHelper<CellMeta>() });

/** Makes the columns of a table whose rows are `T`; see use-keys.ts and keys.tsx in pages/admin. */
export const columnsOf = <T extends object>() => createColumnHelper<typeof features, T>();

interface TableProps<T extends object> {
  readonly columns: ColumnDef<typeof features, T>[];
  readonly rows: readonly T[];
  /** identifies a row when the list has changed */
  readonly rowId: (row: T) => string;
}

/** A table that becomes a list of cards on a phone: there each cell but the first has its heading as `data-label`. */
export function DataTable<T extends object>({ columns, rows, rowId }: TableProps<T>) {
  const table = useTable({ features, columns, data: rows as T[], getRowId: rowId });
  return (
    <div className="scroll">
      <table className="cards">
        <thead>
          {table.getHeaderGroups().map(({ id, headers }) => (
            <tr key={id}>
              {headers.map((header) => (
                <th key={header.id}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell, n) => {
                const { cell: content, header, meta } = cell.column.columnDef;
                const label = n > 0 && typeof header === 'string' ? header : undefined;
                // called, not rendered as a component: pages make columns at each render, and a component of another
                // identity would be mounted again, without its focus
                return (
                  <td key={cell.id} className={meta?.className} data-label={label}>
                    {typeof content === 'function' ? content(cell.getContext()) : content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
