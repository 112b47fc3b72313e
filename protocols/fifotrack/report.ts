import { CodecError, type Position } from '#codec';
import { Fields, type Layout, TextRecord } from '#codec/text';
import { PERSONAL, REPORT, REPORT_TAIL } from './layouts.ts';

/** Throws CodecError `bad-text` if a field before the tail is not what it should be. */
function read(content: string, body: Layout, tail?: Layout): Position {
  const fields = new Fields(content.split(','));
  const record = new TextRecord();
  if (!body.walk(fields, record)) throw new CodecError('bad-text', `field ${fields.at} is not what it should be`);
  tail?.walk(fields, record);
  if (!record.hasFix) record.draft.deviceTime = record.fixTime;
  return record.toPosition();
}

/** No lithium cell is beyond. */
const MAX_CENTIVOLTS = 500;
const PARTS = 204_800;
const volts = (steps: number, step: number): number => Math.round(steps * step * PARTS) / PARTS;

/**
 * The first two analogue values are the battery's and the supply's: hundredths of a volt, of older trackers steps of a
 * twelve-bit converter, which a battery that cannot be in hundredths shows.
 */
function nameVolts({ attributes }: Position): void {
  const { adc1: battery, adc2: power } = attributes;
  if (typeof battery !== 'number' || battery === 0) return;
  const [one, other] = battery > MAX_CENTIVOLTS ? [6.6 / 4096, 52.8 / 4096] : [1 / 100, 1 / 100];
  attributes['battery'] = volts(battery, one);
  if (typeof power === 'number') attributes['power'] = volts(power, other);
}

/** Vehicle trackers: A00, A01, A02 … */
export function readReport(content: string): Position {
  const report = read(content, REPORT, REPORT_TAIL);
  nameVolts(report);
  return report;
}

/** Personal trackers: A03, with a fix or with what they hear of access points. */
export const readPersonal = (content: string): Position => read(content, PERSONAL);
