import { parse } from 'csv-parse/sync';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { csvField } from '../../../platform/csv.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../audit/index.ts';
import { type App, BYTES, textLike } from '../http/index.ts';
import type { CsvTable, Line } from './csv-table.ts';
import { independentGroups } from './independent-groups.ts';

const CSV = 'text/csv';
const MAX_ROWS = 5_000;

const outcome = z.object({
  results: z.array(
    z.object({
      line: z.number().int(),
      id: textLike('grp_0a1b2c3d4e5f6a7b8c').nullable(),
      outcome: z.enum(['created', 'updated', 'unchanged', 'rejected']),
      problem: z.object({ code: z.string(), detail: z.string() }).optional(),
    }),
  ),
});

/** Export and import of records as CSV (RFC 4180). */
export async function addCsvRoutes(app: App, table: CsvTable): Promise<void> {
  const { plural } = table;
  await app.register(async (plain) => {
    const scope = plain as App;
    scope.addContentTypeParser([CSV, BYTES], { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.get(
      `/v1/${plural}/export`,
      {
        config: { access: [table.read], produces: CSV },
        schema: { tags: [plural], summary: `All ${plural} as CSV` },
      },
      async (request, reply) => {
        const text = await write(table, request);
        return reply
          .type(`${CSV}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="${plural}.csv"`)
          .serializer((value: unknown) => value as string)
          .send(text);
      },
    );
    scope.post(
      `/v1/${plural}/import`,
      {
        config: {
          access: [table.write],
          errors: table.errors ?? [],
          takes: { mediaType: BYTES, schema: { type: 'string', format: 'binary', example: table.example } },
        },
        preValidation: async ({ body }) => {
          if (typeof body !== 'string') throw new AppError('unsupported-media-type', `There is only ${CSV}`);
        },
        schema: {
          tags: [plural],
          summary: `Create or change ${plural} from CSV`,
          description:
            `The first line names the fields, as in the export: ${table.fields.join(', ')}. A line that has ` +
            `${table.sameBy} in common with what is there changes it; the others make new ones. Each line stands for ` +
            'itself. The media type is `text/csv` or `application/octet-stream`.',
          body: z.string(),
          response: { 200: outcome },
        },
      },
      async (request) => {
        const results = await read(table, request, request.body);
        noteChange(request, { object: plural, after: { lines: results.length } });
        return { results };
      },
    );
  });
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return csvField(typeof value === 'number' || typeof value === 'boolean' ? value : textOf(value));
};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

async function write(table: CsvTable, request: FastifyRequest): Promise<string> {
  const lines = [table.fields.join(',')];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await table.page(request, cursor);
    for (const item of items) {
      lines.push(table.fields.map((field) => cell((item as Record<string, unknown>)[field])).join(','));
    }
    if (nextCursor === null) return `${lines.join('\r\n')}\r\n`;
    cursor = nextCursor;
  }
}

type Result = z.output<typeof outcome>['results'][number];

async function read(table: CsvTable, request: FastifyRequest, body: string): Promise<Result[]> {
  const rows = parseRows(body, table.fields).map((row, i) => ({ line: i + 2, row }));
  await table.requireRoom?.(
    request,
    rows.map(({ row }) => row),
  );
  const enter = async ({ line, row }: (typeof rows)[number]): Promise<Result> => {
    try {
      return { line, ...(await table.importRow(request, row)) };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { line, id: null, outcome: 'rejected', problem: { code: error.code, detail: error.message } };
    }
  };
  // a line without an id may refer by name to a record that another line renames by id
  const withId = rows.filter(({ row }) => Boolean(row['id'])).length;
  const isMixed = withId > 0 && withId < rows.length;
  const results: Result[] = [];
  for (const group of independentGroups(rows, ({ row }) => (isMixed ? ['any'] : keysOf(row, table.dependsOn)))) {
    const outcomes = await Promise.allSettled(group.map(enter));
    for (const one of outcomes) {
      if (one.status === 'rejected') throw one.reason;
      results.push(one.value);
    }
  }
  return results;
}

/** Normalized names in a line: plates are compared without spaces, hyphens and case. */
const keysOf = (row: Line, fields: readonly string[]): string[] =>
  fields.flatMap((field) => {
    const cell = (row[field] ?? '').toUpperCase().replace(/[\s-]/g, '');
    return cell === '' ? [] : [`${field} ${cell}`];
  });

function parseRows(body: string, fields: readonly string[]): Line[] {
  // PostgreSQL cannot store U+0000
  if (body.includes('\0')) throw new AppError('invalid', 'The body contains U+0000');
  let rows: Line[];
  let names: readonly string[] = [];
  const columns = (head: string[]): string[] => {
    names = head;
    return head;
  };
  try {
    rows = parse(body, { columns, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new AppError('malformed', `The body is no CSV: ${(error as Error).message}`);
  }
  if (!names.some((name) => fields.includes(name))) {
    throw new AppError('invalid', `The first line names fields: ${fields.join(', ')}`);
  }
  if (rows.length > MAX_ROWS) throw new AppError('invalid', `More than ${MAX_ROWS} lines`);
  return rows;
}
