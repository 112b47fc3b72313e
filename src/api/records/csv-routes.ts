import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { AppError } from '../../platform/errors.ts';
import { noteChange } from '../audit/routes.ts';
import { tenantOf } from '../http/access.ts';
import type { App } from '../http/server.ts';
import type { Kind, RecordRow } from './kind.ts';
import { presenter } from './routes.ts';
import type { Fields, Records } from './service.ts';

const CSV = 'text/csv';
const MOST_ROWS = 5_000;
const PAGE = 500;

const outcome = z.object({
  results: z.array(
    z.object({
      line: z.number().int(),
      id: z.string().nullable(),
      outcome: z.enum(['created', 'updated', 'rejected']),
      problem: z.object({ code: z.string(), detail: z.string() }).optional(),
    }),
  ),
});

/** Records of a kind as CSV (RFC 4180), out and in. */
export async function addCsvRoutes(app: App, records: Records): Promise<void> {
  const { kind } = records;
  await app.register(async (plain) => {
    const scope = plain as App;
    scope.addContentTypeParser(CSV, { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.get(
      `/v1/${kind.plural}/export`,
      {
        config: { access: [kind.read], produces: CSV },
        schema: { tags: [kind.plural], summary: `All ${kind.plural} as CSV`, produces: [CSV] },
      },
      async (request, reply) => {
        const text = await write(records, tenantOf(request));
        return reply
          .type(`${CSV}; charset=utf-8`)
          .header('content-disposition', `attachment; filename="${kind.plural}.csv"`)
          .serializer((value: unknown) => value as string)
          .send(text);
      },
    );
    scope.post(
      `/v1/${kind.plural}/import`,
      {
        config: { access: [kind.write] },
        schema: {
          tags: [kind.plural],
          summary: `Create or change ${kind.plural} from CSV`,
          description:
            'The first line names the fields, as in the export. A line with the id or the name of a record changes it; ' +
            'the others make new ones. Each line stands for itself.',
          consumes: [CSV],
          response: { 200: outcome },
        },
      },
      async (request) => {
        const results = await read(records, tenantOf(request), request.body);
        noteChange(request, { object: kind.plural, after: { lines: results.length } });
        return { results };
      },
    );
  });
}

/** a cell that a spreadsheet would run gets an apostrophe, as OWASP advises */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

async function write(records: Records, tenantId: number): Promise<string> {
  const fields = ['id', ...Object.keys(records.kind.columns)];
  const present = presenter(records.kind);
  const lines = [fields.join(',')];
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await records.list(tenantId, { limit: PAGE, cursor });
    for (const item of items) {
      const shown = present(item);
      lines.push(fields.map((field) => cell(shown[field])).join(','));
    }
    if (nextCursor === null) return `${lines.join('\r\n')}\r\n`;
    cursor = nextCursor;
  }
}

type Result = z.output<typeof outcome>['results'][number];

async function read(records: Records, tenantId: number, body: unknown): Promise<Result[]> {
  const results: Result[] = [];
  for (const [i, row] of parseRows(body).entries()) {
    const line = i + 2;
    try {
      results.push({ line, ...(await enter(records, tenantId, row)) });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      results.push({ line, id: null, outcome: 'rejected', problem: { code: error.code, detail: error.message } });
    }
  }
  return results;
}

function parseRows(body: unknown): Record<string, string>[] {
  if (typeof body !== 'string') throw new AppError('unsupported-media-type', `There is only ${CSV}`);
  let rows: Record<string, string>[];
  try {
    rows = parse(body, { columns: true, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new AppError('malformed', `The body is no CSV: ${(error as Error).message}`);
  }
  if (rows.length > MOST_ROWS) throw new AppError('invalid', `More than ${MOST_ROWS} lines`);
  return rows;
}

async function enter(records: Records, tenantId: number, row: Record<string, string>): Promise<Omit<Result, 'line'>> {
  const { kind } = records;
  const known = await findExisting(records, tenantId, row);
  const schema = known === undefined ? kind.create : kind.change;
  const parsed = schema.safeParse(readFields(kind, row));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new AppError('invalid', `${issue.path.join('.')}: ${issue.message}`);
  }
  if (known === undefined) {
    return { id: (await records.create(tenantId, parsed.data as Fields)).id, outcome: 'created' };
  }
  await records.change(tenantId, known.id, parsed.data as Fields, undefined);
  return { id: known.id, outcome: 'updated' };
}

async function findExisting(
  records: Records,
  tenantId: number,
  row: Record<string, string>,
): Promise<RecordRow | undefined> {
  const { key, unknown } = records.kind;
  const name = row['id'] || (key === undefined ? '' : row[key.field]);
  if (!name) return undefined;
  try {
    return await records.find(tenantId, name);
  } catch (error) {
    // an id that is none is an error; a new name is a new record
    if (!(error instanceof AppError) || error.code !== unknown || row['id']) throw error;
    return undefined;
  }
}

/** An empty cell clears a field; a column that is not there leaves it. */
function readFields(kind: Kind, row: Record<string, string>): Fields {
  const fields = Object.entries(kind.columns)
    .filter(([field]) => row[field] !== undefined)
    .map(([field, { type }]) => [field, row[field] === '' ? null : readCell(type, row[field]!)]);
  return Object.fromEntries(fields);
}

function readCell(type: string, text: string): unknown {
  if (type === 'int' || type === 'float8' || type === 'numeric') return Number(text);
  if (type !== 'jsonb') return text.replace(/^'(?=[=+\-@])/, '');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
