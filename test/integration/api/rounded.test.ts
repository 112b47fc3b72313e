import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Position } from '#codec';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { RECORDS_MEDIA_TYPE } from '../../../src/contract/records.ts';
import { normalise, packPosition } from '../../../src/contract/telemetry/index.ts';
import { PACKED } from '../../../src/gateway/spool/index.ts';
import { messagesOf, positionsIn } from '../../conformance/rules/decoded.ts';
import { createSubject, frameCasesOf } from '../../conformance/rules/subject.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { loadFixtures } from '../../support/fixtures.ts';
import { longNumbers } from '../../support/long-numbers.ts';
import { type SpoolRecord, spoolBody } from '../../support/spool-records.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await withDatabase((url) => startApi(url));
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

/** In which the device itself sends so many digits. */
const SENT = ['/v1/devices/R-wialon/positions?limit=500&include=named items 4 altitude is 12.123456789012346'];

const SERVER_TIME = Date.UTC(2026, 4, 1, 8);
let seq = 0;

/** As a gateway stores them. Times differ, so that each of them is a record of its own. */
function recordsOf(imei: string, protocol: string, positions: readonly Position[]): SpoolRecord[] {
  return positions.map((position, n) => {
    const time = SERVER_TIME - (positions.length - n) * 1_000;
    const timed = { ...normalise(position), deviceTime: time, ...(position.outdated ? {} : { fixTime: time }) };
    return { seq: ++seq, kind: PACKED, bytes: packPosition(imei, protocol, timed, SERVER_TIME) };
  });
}

test('positions of every protocol are decimal numbers, without digits of the arithmetic, in every answer of the API', async () => {
  const { streams } = await loadCatalogue();
  const counts = new Map<string, number>();
  const found: string[] = [];
  for (const protocol of streams) {
    const subject = createSubject(protocol, loadFixtures(protocol.id));
    const positions = frameCasesOf(subject).flatMap((one) =>
      positionsIn(messagesOf(subject, one, one.content ?? one.wire) ?? []),
    );
    const imei = `R-${protocol.id}`;
    const response = await fetch(`${api.url}/v1/internal/events?spool=rounded&clock=${Date.now()}`, {
      method: 'POST',
      headers: { ...(await api.gateway()), 'content-type': RECORDS_MEDIA_TYPE },
      body: Uint8Array.from(spoolBody(recordsOf(imei, protocol.id, positions))),
    });
    expect(response.status, protocol.id).toBe(200);
    for (const path of [`/v1/devices/${imei}/positions?limit=500&include=named`, `/v1/devices/${imei}/state`]) {
      const { status, body } = await api.get(path);
      expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200);
      if (body.items !== undefined) counts.set(protocol.id, body.items.length);
      found.push(...longNumbers(body, path));
    }
  }
  expect(found).toEqual(SENT);
  expect(streams.filter(({ id }) => !(counts.get(id)! > 0)).map(({ id }) => id)).toEqual([]);
}, 240_000);
