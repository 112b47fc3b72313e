import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer | undefined;
}

/**
 * Output folder of `scripts/ready.mjs`: beside the built server, or in the checkout if the server runs from sources.
 */
function applicationFolder(): string | undefined {
  const places = [
    join(import.meta.dirname, '..', '..', '..', 'web'),
    join(import.meta.dirname, '..', '..', '..', 'dist', 'web'),
  ];
  return places.find((folder) => existsSync(join(folder, '.built')));
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(join(folder, 'assets'))) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, 'assets', name);
    const gzip = existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : undefined;
    assets.set(name, { type, bytes: readFileSync(path), gzip });
  }
  return assets;
}

/** Serves the application of web/: one page for every path under /console, and files whose names change with them. */
export function addApplication(
  app: FastifyInstance,
  guarded: (reply: FastifyReply) => FastifyReply,
  policy: string,
): void {
  const folder = applicationFolder();
  const schema = { hide: true };
  const policyTag = createHash('sha256').update(policy).digest('base64url');
  const config = { access: [], isPage: true, produces: '*/*', rateLimit: false } as const;
  const index = folder === undefined ? undefined : readFileSync(join(folder, 'index.html'), 'utf8');
  const assets = folder === undefined ? new Map<string, Asset>() : readAssets(folder);
  const sendPage = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (index === undefined) throw new AppError('not-found', 'The console has not been built: npm run build');
    return guarded(reply).type('text/html; charset=utf-8').send(index);
  };
  const share = folder === undefined ? undefined : readFileSync(join(folder, 'share.html'), 'utf8');
  // public: the data of a link are requested with its token
  app.get(
    '/share',
    { config: { access: 'public', produces: '*/*', rateLimit: false }, schema },
    async (_request, reply) => {
      if (share === undefined) throw new AppError('not-found', 'The console has not been built: npm run build');
      return guarded(reply).type('text/html; charset=utf-8').send(share);
    },
  );
  app.get('/console', { config, schema }, sendPage);
  app.get('/console/*', { config, schema }, sendPage);
  // public: static files without data
  const open = { access: 'public', produces: '*/*', rateLimit: false } as const;
  app.get<{ Params: { name: string } }>('/console/assets/:name', { config: open, schema }, async (request, reply) => {
    const asset = assets.get(request.params.name);
    if (asset === undefined) throw new AppError('not-found');
    guarded(reply).type(asset.type).header('x-content-type-options', 'nosniff').header('vary', 'accept-encoding');
    if (request.params.name.includes('worker')) {
      // a worker uses the policy of its own file: a cached file of another base map would be wrong
      const tag = `"${policyTag}"`;
      reply.header('cache-control', 'no-cache').header('etag', tag);
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    } else reply.header('cache-control', 'public, max-age=31536000, immutable');
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    if (asset.gzip === undefined || !takesGzip) return reply.send(asset.bytes);
    return reply.header('content-encoding', 'gzip').send(asset.gzip);
  });
}
