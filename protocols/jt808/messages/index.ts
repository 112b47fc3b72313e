import { bcdTime, type FieldList, hex, optionalTail, setValid, skip, text, u8 } from '#codec/binary';
import { acceleration } from '../items/readers.ts';
import { dataOf, locationAnswer, resultOf, wideText } from './answers.ts';
import type { Handle } from './handle.ts';
import { acknowledge, acknowledged, fromBytes, heartbeat, padlock } from './incoming.ts';
import { media } from './media.ts';
import { PADLOCK } from './padlock.ts';
import { batch, compactBatch, location } from './records.ts';
import { CAMERA_RESULTS } from './results.ts';
import { authenticate, register, sendStandardTime, sendTime } from './session.ts';
import { TRANSPARENT } from './transparent.ts';

export const REGISTER = 0x0100;
export const AUTHENTICATE = 0x0102;

/** Texts of the standard (STRING) are GBK. */
const GBK = { encoding: 'gbk', trim: true, unlessEmpty: true } as const;

/** 0702: the driver puts in or takes out a card; what is missing at the end was not sent. */
const DRIVER_CARD: FieldList = [
  u8('cardStatus'),
  bcdTime('device'),
  optionalTail([
    u8('cardResult'),
    text('driver', 'u8', GBK),
    text('cardCode', 20, { trim: true }),
    text('cardAgency', 'u8', GBK),
    hex('cardValidity', 4),
  ]),
];

/** 0107: type and maker, model, id, SIM card, versions; model and id are longer since 2019 (table 20). */
const terminal = (modelBytes: number, idBytes: number): Handle =>
  acknowledged([
    skip(7),
    text('deviceType', modelBytes, { trim: true, unlessEmpty: true }),
    skip(idBytes),
    hex('iccid', 10),
    optionalTail([text('versionHw', 'u8', GBK), text('versionFw', 'u8', GBK)]),
  ]);
const TERMINAL = terminal(20, 7);
const TERMINAL_OF_2019 = terminal(30, 30);

/** What devices send, by message id. */
export const HANDLERS: ReadonlyMap<number, Handle> = new Map<number, Handle>([
  [0x0001, resultOf(2)],
  [0x0002, fromBytes(2, acknowledged([u8('batteryLevel'), u8('rssi'), optionalTail(u8('status'))]), heartbeat)],
  [0x0003, acknowledge],
  [0x0004, sendStandardTime],
  [REGISTER, register],
  [AUTHENTICATE, authenticate],
  [0x0104, dataOf()],
  [0x0107, (incoming) => (incoming.header.versioned ? TERMINAL_OF_2019 : TERMINAL)(incoming)],
  [0x0109, sendTime],
  [0x0200, location],
  [0x0201, locationAnswer],
  [0x0210, compactBatch],
  [0x0302, dataOf()],
  [0x0500, locationAnswer],
  [0x0506, heartbeat],
  [0x0700, dataOf()],
  [0x0701, acknowledged(text('result', 'u32'))],
  [0x0702, acknowledged(DRIVER_CARD)],
  [0x0704, batch],
  [0x0800, acknowledge],
  [0x0801, media],
  [0x0802, dataOf()],
  [0x0805, dataOf(CAMERA_RESULTS)],
  [0x0900, acknowledged(TRANSPARENT)],
  [0x1007, acknowledge],
  [0x1205, dataOf()],
  [0x1206, resultOf(0)],
  [0x1300, wideText],
  [0x2070, acknowledged(acceleration)],
  [0x5501, padlock([PADLOCK, setValid(true)])],
  [0x5502, padlock(PADLOCK)],
  [0x6006, acknowledged([skip(1), text('result', 'rest', { encoding: 'gbk' })])],
  [0x8888, acknowledge],
]);
