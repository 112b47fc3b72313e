import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOTICE_KINDS } from '../../../web/src/lists.ts';

const root = join(import.meta.dirname, '..', '..', '..');

it('offers every kind of tachograph notices that the API has', () => {
  const { paths } = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as {
    paths: Record<string, { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }>;
  };
  const known = paths['/v1/drivers/ddd/notices']!.get.parameters.find(({ name }) => name === 'kind')!.schema.enum!;
  expect(NOTICE_KINDS).toEqual(known);
  const page = readFileSync(join(root, 'web', 'src', 'pages', 'tachograph', 'notices.tsx'), 'utf8');
  expect(page).toContain('values={NOTICE_KINDS}');
});
