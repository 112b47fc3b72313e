import { pipeline } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import type { RequestPayload } from 'fastify';
import { EVENT_BYTES, eventsAnswer } from '../../../contract/events.ts';
import { EVENTS_MEDIA_TYPE, eventsQuery, positionsAnswer, positionsPush } from '../../../contract/internal.ts';
import { RECORD_BYTES, RECORDS_CODING, RECORDS_MEDIA_TYPE } from '../../../contract/records.ts';
import { RECORDS_VERSION, RECORDS_VERSION_HEADER } from '../../../contract/versions.ts';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, BYTES, principalOf } from '../../kernel/http/index.ts';
import type { PushService } from './positions/push.ts';
import type { IngestService } from './service.ts';

const access = ['internal'] as const;

/** Batches of gateways. */
export function addIngestRoutes(app: App, service: IngestService, clock: Clock): void {
  app.register(async (plain) => {
    plain.addContentTypeParser(BYTES, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // the limit of the body counts what comes out
    plain.addHook('preParsing', async (request, _reply, payload) => {
      const coding = request.headers['content-encoding'] ?? 'identity';
      if (coding === 'identity') return payload;
      if (coding !== RECORDS_CODING)
        throw new AppError('unsupported-media-type', `Bodies are ${RECORDS_CODING} or not encoded`);
      return gunzip(payload);
    });
    addEvents(plain as App, service, clock);
  });
}

/** With what Fastify compares with the length of the request. */
function gunzip(payload: RequestPayload): RequestPayload {
  const decoded: RequestPayload = createGunzip();
  decoded.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    decoded.receivedEncodedLength! += chunk.length;
  });
  pipeline(payload, decoded as Gunzip, () => undefined);
  return decoded;
}

function addEvents(app: App, service: IngestService, clock: Clock): void {
  app.post(
    '/v1/internal/events',
    {
      config: {
        access,
        rateLimit: false,
        errors: ['conflict'],
        takes: { mediaType: BYTES, schema: { type: 'string', format: 'binary' } },
      },
      // a line may end the batch a little past the limit that gateways keep to
      bodyLimit: 2 * Math.max(EVENT_BYTES, RECORD_BYTES),
      schema: {
        tags: ['internal'],
        summary: 'What a gateway reports',
        description:
          `The records of a spool as they are (\`${RECORDS_MEDIA_TYPE}\` or \`${BYTES}\`), or NDJSON ` +
          `(\`${EVENTS_MEDIA_TYPE}\`), one event a line in the order of seq. Applied once, whatever is repeated. ` +
          `The header \`${RECORDS_VERSION_HEADER}\` of the answer is the version of records that the API reads; ` +
          'its `accept-encoding` says how a body may be compressed.',
        querystring: eventsQuery,
        response: { 200: eventsAnswer },
      },
    },
    async (request, reply) => {
      const { body, query } = request;
      const began = clock.monotonic();
      reply.header(RECORDS_VERSION_HEADER, RECORDS_VERSION).header('accept-encoding', RECORDS_CODING);
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
        throw new AppError('unsupported-media-type', `There are ${EVENTS_MEDIA_TYPE} and ${RECORDS_MEDIA_TYPE}`);
      }
      const { lastSeq, rejected } = await service.ingest({ gateway: principalOf(request).id, ...query }, body);
      // the rest of the response time is network time
      reply.header('server-timing', `store;dur=${(clock.monotonic() - began).toFixed(1)}`);
      return { lastSeq, rejected: [...rejected] };
    },
  );
}

/** Positions that other services push. */
export function addPushRoutes(app: App, pushes: PushService): void {
  app.post(
    '/v1/positions',
    {
      config: { access: ['positions:write'], audit: false, rateLimit: false, isRepeatable: false },
      schema: {
        tags: ['positions'],
        summary: 'A batch of positions',
        description: 'Idempotent: a record that is stored already is counted as a duplicate and changes nothing.',
        body: positionsPush.meta({
          example: {
            positions: [
              {
                imei: '356307042441013',
                protocol: 'teltonika',
                fixTime: '2026-05-01T08:30:00Z',
                valid: true,
                latitude: 45.4642,
                longitude: 9.19,
                altitude: 122,
                speed: 53,
                course: 87,
                attributes: { ignition: true, satellites: 9 },
              },
              {
                imei: '356307042441013',
                protocol: 'teltonika',
                fixTime: '2026-05-01T08:31:00Z',
                valid: true,
                latitude: 45.465,
                longitude: 9.201,
                altitude: 122,
                speed: 48,
                course: 87,
                attributes: { ignition: true, satellites: 9 },
              },
              {
                imei: '356307042441013',
                protocol: 'teltonika',
                fixTime: '2026-05-01T08:32:00Z',
                valid: true,
                latitude: 45.466,
                longitude: 9.212,
                altitude: 122,
                speed: 61,
                course: 87,
                attributes: { ignition: true, satellites: 9 },
              },
              {
                imei: '356307042441013',
                protocol: 'teltonika',
                fixTime: '2026-05-01T08:36:00Z',
                valid: true,
                latitude: 45.467,
                longitude: 9.252,
                altitude: 122,
                speed: 57,
                course: 87,
                attributes: { ignition: true, satellites: 9 },
              },
              {
                imei: '356307042441013',
                protocol: 'teltonika',
                fixTime: '2026-05-01T08:40:00Z',
                valid: true,
                latitude: 45.468,
                longitude: 9.292,
                altitude: 122,
                speed: 0,
                course: 87,
                attributes: { ignition: true, satellites: 9 },
              },
            ],
          },
        }),
        response: { 200: positionsAnswer },
      },
      // record by record, so that one that is wrong does not refuse the others
      validatorCompiler: () => (value) => ({ value }),
    },
    async (request) => {
      const { accepted, duplicates, rejected } = await pushes.push(principalOf(request).tenantId, request.body);
      return { accepted, duplicates, rejected: [...rejected] };
    },
  );
}
