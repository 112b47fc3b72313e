import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { AppError, type ErrorCode } from '../../../platform/errors.ts';
import { type Cursors, toPage } from '../../kernel/http/index.ts';
import { forgetDaysOf } from '../analysis/store.ts';
import type { FileFacts } from '../engine/reports/file-facts.ts';
import type { Reader } from '../reader/index.ts';
import type { Limits } from '../settings.ts';
import { cleanName, type Incoming, tooLarge } from './incoming.ts';
import * as store from './store.ts';

const FILES_AT_ONCE = 1_000;

export interface StoredFile {
  readonly row: store.FileRow;
  readonly isDuplicate: boolean;
  readonly findings: FileFacts['findings'];
}

export type Outcome =
  | ({ readonly name: string } & StoredFile)
  | { readonly name: string; readonly problem: { readonly code: ErrorCode; readonly detail: string } };

export interface FileList {
  readonly waiting?: boolean | undefined;
  readonly driverId?: string | undefined;
  readonly plate?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Tachograph downloads. All throw AppError `unknown-file` if a file does not exist. */
export interface Files {
  /** What a file says, without keeping it. Throws AppError `not-a-ddd`. */
  look(tenantId: number, bytes: Uint8Array): Promise<FileFacts>;
  /** Throws AppError `not-a-ddd`, `too-large`. */
  add(tenantId: number, actor: string, incoming: Incoming): Promise<StoredFile>;
  /** The downloads of a file: those of a ZIP, and of each card of a file with several. Throws AppError. */
  unpack(tenantId: number, incoming: Incoming): Promise<readonly Incoming[]>;
  /** One after the other, archives unpacked; files that are no downloads have an error beside the others. */
  addAll(tenantId: number, actor: string, incoming: readonly Incoming[]): Promise<Outcome[]>;
  find(tenantId: number, id: string): Promise<store.FileRow>;
  judgement(tenantId: number, id: string): Promise<store.JudgedRow>;
  bytes(tenantId: number, id: string): Promise<Buffer>;
  list(tenantId: number, query: FileList): Promise<{ items: store.FileRow[]; nextCursor: string | null }>;
  /** Throws AppError `unknown-driver`. Number of cards that are the driver's now. */
  bind(tenantId: number, driverId: string, ids: readonly string[]): Promise<number>;
  /** A driver for each unknown card among the files that wait; of all of them without ids. */
  createDrivers(tenantId: number, ids: readonly string[] | null): Promise<store.CardDriver[]>;
  /** Admits a file with invalid signatures, or (null) no longer. Throws AppError `signature-not-invalid`. */
  admit(tenantId: number, id: string, admission: store.Admission | null): Promise<store.FileRow>;
  remove(tenantId: number, id: string): Promise<void>;
}

export interface FilesDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly cursors: Cursors;
  readonly clock: Clock;
  readonly limits: Limits;
  /** there may be drivers whose files must be analysed again */
  readonly onChange: () => void;
}

export function createFiles({ pool, reader, cursors, clock, limits, onChange }: FilesDeps): Files {
  const find = async (tenantId: number, id: string): Promise<store.FileRow> => {
    const [row] = await store.listFiles(pool, tenantId, { ids: [id], limit: 1 });
    if (row === undefined) throw new AppError('unknown-file', `There is no tachograph file ${id}`);
    return row;
  };
  const look = async (tenantId: number, bytes: Uint8Array): Promise<FileFacts> => {
    const facts = await reader.ask('read', { bytes, receivedAt: clock.now() / 1_000 }, tenantId);
    if (facts === undefined) throw new AppError('not-a-ddd');
    return facts;
  };
  const add: Files['add'] = async (tenantId, actor, { name, bytes: read }) => {
    const bytes = await read();
    const facts = await look(tenantId, bytes);
    const sha256 = createHash('sha256').update(bytes).digest();
    const id = newId(clock.now());
    const { row, isNew } = await store.insertFile(pool, tenantId, {
      id,
      name,
      bytes,
      sha256,
      facts,
      uploadedBy: actor,
    });
    if (isNew) onChange();
    return { row, isDuplicate: !isNew, findings: facts.findings };
  };
  const unpack: Files['unpack'] = (tenantId, incoming) => unpackIncoming(reader, limits, tenantId, incoming);
  const forget = (tenantId: number, drivers: readonly string[]) => forgetFilesOf(pool, tenantId, drivers);
  return {
    look,
    add,
    unpack,
    addAll: (tenantId, actor, incoming) =>
      addEach(
        incoming,
        (each) => unpack(tenantId, each),
        (each) => add(tenantId, actor, each),
      ),
    find,
    async judgement(tenantId, id) {
      const found = await store.readJudgement(pool, tenantId, id);
      if (found === undefined) throw new AppError('unknown-file');
      return found;
    },
    async bytes(tenantId, id) {
      const bytes = await store.readBytes(pool, tenantId, id);
      if (bytes === undefined) throw new AppError('unknown-file');
      return bytes;
    },
    async list(tenantId, { waiting, driverId, plate, limit, cursor }) {
      const filter = ['ddd', tenantId, waiting ?? null, driverId ?? null, plate ?? null];
      const rows = await store.listFiles(pool, tenantId, {
        waiting,
        limit: limit + 1,
        drivers: driverId === undefined ? undefined : [driverId],
        plates: plate === undefined ? undefined : [plate],
        after: cursor === undefined ? undefined : String(cursors.read(cursor, filter)[0]),
      });
      return toPage(
        rows,
        limit,
        (row) => row,
        ({ id }) => cursors.write([id], filter),
      );
    },
    async bind(tenantId, driverId, ids) {
      if (!(await store.isDriver(pool, tenantId, driverId))) throw new AppError('unknown-driver');
      const moved: string[] = [];
      for (const id of ids) {
        const row = await find(tenantId, id);
        if (row.driverId !== null && row.driverId !== driverId) moved.push(row.driverId);
      }
      await forget(tenantId, moved);
      const cards = await store.bindFiles(pool, tenantId, driverId, ids);
      onChange();
      return cards;
    },
    async createDrivers(tenantId, ids) {
      for (const id of ids ?? []) await find(tenantId, id);
      const drivers = await store.createDriversOfCards(pool, tenantId, ids, newDriverId);
      onChange();
      return drivers;
    },
    async admit(tenantId, id, admission) {
      const { verdict } = await find(tenantId, id);
      if (admission !== null && verdict !== 'invalid') throw new AppError('signature-not-invalid');
      if (admission === null) await forgetDaysOf(pool, tenantId, [id]);
      await store.admitFile(pool, tenantId, id, admission);
      onChange();
      return find(tenantId, id);
    },
    async remove(tenantId, id) {
      await forgetDaysOf(pool, tenantId, [id]);
      if (!(await store.deleteFile(pool, tenantId, id))) throw new AppError('unknown-file');
      onChange();
    },
  };
}

/** Parts are read when they are worked on, so that an archive takes no more memory than its largest entry. */
async function unpackIncoming(
  reader: Reader,
  limits: Limits,
  tenantId: number,
  incoming: Incoming,
): Promise<Incoming[]> {
  const bytes = await incoming.bytes();
  // most files are of one card or one unit
  if (!mayHoldSeveral(bytes)) return [{ name: incoming.name, bytes: async () => bytes }];
  const most = { files: limits.uploadFiles, bytes: limits.unpackedBytes };
  const unpacked = await reader.ask('unpack', { bytes, limits: most }, tenantId);
  if ('problem' in unpacked) throw new AppError(unpacked.problem, unpacked.detail);
  return unpacked.parts.map((part) => ({
    name: part.name === null ? incoming.name : cleanName(part.name),
    bytes: async () => {
      if (part.size > limits.fileBytes) throw tooLarge(limits.fileBytes);
      if (part.name === null && part.part === null) return bytes;
      return reader.ask('part', { bytes, part, limits: most }, tenantId);
    },
  }));
}

async function addEach(
  incoming: readonly Incoming[],
  unpack: (each: Incoming) => Promise<readonly Incoming[]>,
  add: (each: Incoming) => Promise<StoredFile>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const note = async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      outcomes.push({ name, problem: { code: error.code, detail: error.message } });
    }
  };
  for (const each of incoming) {
    await note(each.name, async () => {
      for (const part of await unpack(each)) {
        await note(part.name, async () => void outcomes.push({ name: part.name, ...(await add(part)) }));
      }
    });
  }
  return outcomes;
}

/** A ZIP, or a file in which what a download contains once comes twice in one of the generations. */
function mayHoldSeveral(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.subarray(0, 2).toString('latin1') === 'PK') return true;
  const isTwice = (header: string, fits: (at: number) => boolean = () => true): boolean => {
    let found = 0;
    for (let at = buffer.indexOf(header, 0, 'hex'); at >= 0 && found < 2; at = buffer.indexOf(header, at + 1, 'hex')) {
      if (fits(at)) found++;
    }
    return found > 1;
  };
  // an identification of a card (EF 0520) of 143 bytes
  if (buffer[0] !== 0x76) return isTwice('052000008f') || isTwice('052002008f');
  // an overview of a unit: of generation 1 two certificates and the VIN, of generation 2 an array of certificates
  const hasVin = (at: number): boolean => /^[\x20-\x7e]{17}$/.test(buffer.toString('latin1', at + 390, at + 407));
  return isTwice('7601', hasVin) || isTwice('762104') || isTwice('763104');
}

/** In the order in which they are made. */
const newId = (now: number): string => `ddd_${now.toString(16).padStart(12, '0')}${randomBytes(6).toString('hex')}`;
const newDriverId = (): string => `drv_${randomBytes(9).toString('hex')}`;

/** Deletes the days of these drivers that come from files of cards which have another driver now. */
async function forgetFilesOf(pool: pg.Pool, tenantId: number, drivers: readonly string[]): Promise<void> {
  if (drivers.length === 0) return;
  for (let after: string | undefined; ; ) {
    const files = await store.listFiles(pool, tenantId, { drivers, after, limit: FILES_AT_ONCE });
    const ids = files.map(({ id }) => id);
    if (ids.length > 0) await forgetDaysOf(pool, tenantId, ids);
    if (files.length < FILES_AT_ONCE) return;
    after = ids.at(-1);
  }
}
