import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  instantMember,
  listOf,
  member,
  page,
  principalOf,
  tenantOf,
  text,
  textLike,
  toInstant,
  toInstantOrNull,
  toPage,
} from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import { type AddressesOf, language } from '../../movement/places/index.ts';
import { normaliseTarga } from '../records/index.ts';
import { type Place, readPlaces } from './path.ts';
import { coarse, PRECISIONS } from './precision.ts';
import * as store from './store.ts';

export interface ShareLinkDeps {
  readonly app: pg.Pool;
  /** pool of the role that sees all tenants: a token does not contain its tenant */
  readonly ingest: pg.Pool;
  /** pool for streamed results */
  readonly streams: pg.Pool;
  readonly clock: Clock;
  readonly cursors: Cursors;
  readonly addressesOf: AddressesOf | undefined;
  readonly mostDays: number;
  readonly mostLinks: number;
}

const tags = ['vehicles'];
const write = { access: ['positions:read', 'vehicles:write'] } as const;
const read = { access: ['positions:read', 'vehicles:read'] } as const;
/** maximum number of places of a path */
const MAX_PLACES = 2_000;

const link = z.object({
  id: textLike('shr_4715'),
  targa: member.targa,
  label: z.string().nullable(),
  from: instant.nullable(),
  to: instant.nullable(),
  precisionM: z.number().int(),
  expiresAt: instant,
  revokedAt: instant.nullable(),
  state: z.enum(['open', 'expired', 'revoked']),
  opened: z.number().int().describe('how often it was opened'),
  openedAt: instant.nullable(),
  createdBy: z.string(),
  createdAt: instant,
});

const body = z
  .object({
    targa: recordName.describe('plate or id of a vehicle'),
    until: instantMember('to').describe('the link ends then'),
    from: instantMember('from').optional().describe('with `to`: where the vehicle was then, not where it is now'),
    to: instantMember('to').optional(),
    precisionM: z
      .literal(PRECISIONS)
      .default(0)
      .describe('positions are moved to the middle of cells of this size, m; 0: exact'),
    label: text(200, 1).nullable().optional().describe('shown in place of the plate'),
  })
  .refine(({ from, to }) => (from === undefined) === (to === undefined), {
    error: 'from and to, or neither',
    path: ['to'],
  });

const place = z.object({
  at: instant,
  latitude: member.latitude,
  longitude: member.longitude,
  speed: member.speed.nullable().describe('km/h, of exact positions'),
  course: member.course.nullable(),
  address: member.address.nullable(),
});

const shared = z.object({
  name: z.string(),
  expiresAt: instant,
  precisionM: z.number().int(),
  position: place.nullable().describe('last position; null: not known, or the link is about an interval'),
  from: instant.nullable(),
  to: instant.nullable(),
  path: z.array(z.tuple([z.number(), z.number()])).describe('longitude, latitude, of the interval'),
  attribution: z.string().nullable().describe('credit that is shown with the address'),
});

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Public links that show the position or path of a vehicle until they expire. */
export function addShareLinkRoutes(server: App, deps: ShareLinkDeps): void {
  addLinks(server, deps);
  addOpening(server, deps);
}

function addLinks(server: App, { app, clock, cursors, mostDays, mostLinks }: ShareLinkDeps): void {
  const present = (row: store.LinkRow): z.output<typeof link> => ({
    id: row.id,
    targa: row.targa,
    label: row.label,
    from: toInstantOrNull(row.from),
    to: toInstantOrNull(row.to),
    precisionM: row.precisionM,
    expiresAt: toInstant(row.expiresAt),
    revokedAt: toInstantOrNull(row.revokedAt),
    state: row.revokedAt !== null ? 'revoked' : row.expiresAt <= clock.now() ? 'expired' : 'open',
    opened: row.opened,
    openedAt: toInstantOrNull(row.openedAt),
    createdBy: row.createdBy,
    createdAt: toInstant(row.createdAt),
  });
  server.post(
    '/v1/share-links',
    {
      config: {
        ...write,
        isRepeatable: false,
        refersTo: ['unknown-vehicle'],
        errors: ['from-after-to', 'interval-too-long', 'conflict'],
      },
      schema: {
        tags,
        summary: 'Share a vehicle by a link',
        description:
          'Everyone with the link sees the vehicle, or where it was from `from` to `to`, without a login, until `until` or ' +
          'until it is revoked. `path` is the page on this server: its token is not stored and is shown this once.',
        body: body.meta({
          example: { targa: 'AB123CD', until: '2026-05-02T18:00:00Z', precisionM: 100, label: 'Delivery 4711' },
        }),
        response: { 200: link.extend({ token: z.string(), path: z.string() }) },
      },
    },
    async (request) => {
      const { targa, until, from = null, to = null, precisionM, label = null } = request.body;
      const now = clock.now();
      if (until <= now) throw new AppError('from-after-to', '`until` is in the past');
      if (from !== null && to !== null && from > to) throw new AppError('from-after-to');
      if (until - now > mostDays * DAY_MS || (from !== null && to !== null && to - from > mostDays * DAY_MS)) {
        throw new AppError('interval-too-long', `At most ${mostDays} days`);
      }
      const token = randomBytes(24).toString('base64url');
      // in the order of their creation
      const id = `shr_${now.toString(16).padStart(12, '0')}${randomBytes(6).toString('hex')}`;
      const tenantId = tenantOf(request);
      const created = {
        id,
        targa: normaliseTarga(targa),
        vehicleId: targa,
        tokenHash: hashOf(token),
        label,
        from,
        to,
        precisionM,
        expiresAt: until,
        createdBy: principalOf(request).id,
      };
      const result = await store.insertLink(app, tenantId, created, mostLinks);
      if (result === 'unknown') throw new AppError('unknown-vehicle', undefined, undefined, undefined, 422);
      if (result === 'full') throw new AppError('conflict', `A tenant has at most ${mostLinks} open links`);
      const [row] = await store.readLinks(app, tenantId, { id, limit: 1 });
      const made = present(row!);
      noteChange(request, { object: id, after: made });
      return { ...made, token, path: `/share#${token}` };
    },
  );
  server.get(
    '/v1/share-links',
    {
      config: read,
      schema: { tags, summary: 'List share links', querystring: z.object(page), response: { 200: listOf(link) } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const tenantId = tenantOf(request);
      const filter = ['share-links', tenantId];
      const before = cursor === undefined ? undefined : String(cursors.read(cursor, filter)[0]);
      const rows = await store.readLinks(app, tenantId, { before, limit: limit + 1 });
      return toPage(rows, limit, present, ({ id }) => cursors.write([id], filter));
    },
  );
  server.delete(
    '/v1/share-links/:id',
    {
      config: { ...write, errors: ['unknown-share-link'] },
      schema: {
        tags,
        summary: 'Revoke a share link',
        params: z.object({ id: recordName.meta({ example: 'shr_4715' }) }),
        response: { 200: removal },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await store.revokeLink(app, tenantOf(request), id))) throw new AppError('unknown-share-link');
      noteChange(request, { object: id });
      return { message: 'The link is revoked', id };
    },
  );
}

function addOpening(server: App, { app, ingest, streams, addressesOf }: ShareLinkDeps): void {
  server.post(
    '/v1/shared',
    {
      config: { access: 'public', errors: ['unknown-share-link'] },
      schema: {
        tags,
        summary: 'What a share link shows',
        description: 'Requires the token of the link only. It is in the body, since URLs are logged.',
        body: z
          .object({ token: text(100, 1), lang: language })
          .meta({ example: { token: 'kX2pT9vQ4mB7sW1zL8dF3hJ6nR0cY5aG', lang: 'en' } }),
        response: { 200: shared },
      },
    },
    async (request, reply) => {
      const { token, lang } = request.body;
      const open = await store.openLink(ingest, hashOf(token));
      if (open === undefined) throw new AppError('unknown-share-link');
      reply.header('cache-control', 'no-store');
      const { precisionM, from, to } = open;
      const common = {
        name: open.label ?? open.targa,
        expiresAt: toInstant(open.expiresAt),
        precisionM,
        from: toInstantOrNull(from),
        to: toInstantOrNull(to),
      };
      if (from !== null) {
        const places = await readPlaces({ app, streams }, open, MAX_PLACES);
        return { ...common, position: null, path: pathOf(places, precisionM), attribution: null };
      }
      const row = await store.readPlace(app, open);
      if (row === undefined) return { ...common, position: null, path: [], attribution: null };
      const [latitude, longitude] = coarse(row.latitude, row.longitude, precisionM);
      const [found] = (await addressesOf?.([{ latitude, longitude }], lang)) ?? [];
      const isExact = precisionM === 0;
      const position = {
        at: toInstant(row.at),
        latitude,
        longitude,
        speed: isExact ? row.speed : null,
        course: isExact ? row.course : null,
        address: found?.address ?? null,
      };
      return { ...common, position, path: [], attribution: found?.attribution ?? null };
    },
  );
}

/** Reduced-precision places without consecutive duplicates. */
function pathOf(places: readonly Place[], precisionM: number): [number, number][] {
  const path: [number, number][] = [];
  for (const place of places) {
    const [latitude, longitude] = coarse(place.latitude, place.longitude, precisionM);
    const last = path.at(-1);
    if (last === undefined || last[0] !== longitude || last[1] !== latitude) path.push([longitude, latitude]);
  }
  return path;
}
