import { type Attributes, type Cell, CodecError, fromHex, toLatin1, utcOfDigits } from '#codec';
import { accessPoints, HEX_DIGIT, head, LOCATION, NAME, readLocation, SENT } from '../location.ts';
import { type Draft, keepUnread, metres, outdated, type ReadReport, type Report } from '../report.ts';

type Match = RegExpExecArray;

/** A reader by one grammar over the message without its count. */
function grammar(source: string, read: (m: Match, report: Report) => Draft): ReadReport {
  const pattern = new RegExp(source);
  return (report) => {
    const m = report.body === undefined ? null : pattern.exec(report.body);
    return m === null ? undefined : [read(m, report)];
  };
}

const sentAt = (draft: Draft, { sendTime }: Report): Draft => {
  if (sendTime !== undefined) draft.deviceTime = sendTime;
  return draft;
};

function keepTail(draft: Draft, m: Match, report: Report): Draft {
  keepUnread(draft.attributes, 'tail', report.bodyFrom(m[0].length));
  return draft;
}

/** LSW, TSW: an input line that wakes the device. */
const line = (type: string, key: 'in1' | 'in2'): ReadReport =>
  grammar(`${head(type)}${NAME}[01],([01]),${LOCATION}${SENT}`, (m, report) => {
    const draft = sentAt(readLocation(m, 2), report);
    draft.attributes[key] = m[1] === '1';
    return draft;
  });

const driver = grammar(
  `${head('IDA')}${NAME},([^,]{1,64}),[01],1,${LOCATION}(\\d{1,10}\\.\\d),,,,,${SENT}`,
  (m, report) => {
    const draft = sentAt(readLocation(m, 2), report);
    draft.attributes['driverUniqueId'] = m[1]!;
    draft.attributes['odometer'] = metres(Number(m[15]));
    return draft;
  },
);

const wifi = grammar(
  `${head('WIF')}${NAME}\\d{1,4},((?:${HEX_DIGIT}{12},-?\\d{1,3},,,,){1,64}),,,,(\\d{1,3}),${SENT}`,
  (m) => {
    const draft = outdated({ batteryLevel: Number(m[2]) });
    draft.network = { wifi: accessPoints(m[1]!) };
    return draft;
  },
);

const MOST_CELLS = 6;
const DECIMAL_FIELD = /^-?\d{1,9}$/;
const HEX_FIELD = /^[0-9A-Fa-f]{1,8}$/;

const gsm = grammar(`${head('GSM')}(?:STR|CTN|NMR|RTL),(.*?),?${SENT}`, (m) => {
  const draft = outdated();
  const fields = m[1]!.split(',');
  const cells: Cell[] = [];
  for (let i = 0; i < MOST_CELLS; i++) {
    const [mcc, mnc, lac, cid, rssi] = fields.slice(6 * i, 6 * i + 5);
    if (!mcc || rssi === undefined) continue;
    const readable =
      [mcc, mnc!, rssi].every((f) => DECIMAL_FIELD.test(f)) && HEX_FIELD.test(lac!) && HEX_FIELD.test(cid!);
    if (!readable) throw new CodecError('bad-text', 'a cell that is none');
    const place = { lac: Number.parseInt(lac!, 16), cid: Number.parseInt(cid!, 16) };
    cells.push({ mcc: Number(mcc), mnc: Number(mnc), ...place, rssi: -Math.abs(Number(rssi)) });
  }
  if (cells.length > 0) draft.network = { cells };
  return draft;
});

const version = grammar(
  `${head('VER')}${NAME}([^,]{0,32}),(${HEX_DIGIT}{4}),(${HEX_DIGIT}{4}),(\\d{14})$`,
  ([, device, firmware, hardware, time]) => {
    const versionFw = Number.parseInt(firmware!, 16);
    const draft = outdated({ deviceType: device!, versionFw, versionHw: Number.parseInt(hardware!, 16) });
    draft.deviceTime = utcOfDigits(time!);
    return draft;
  },
);

/** PNA, PFA: the alarm goes by the type. */
const power = (type: string, alarm: string): ReadReport =>
  grammar(`${head(type)}${NAME}${SENT}`, () => outdated({ alarm }));

const FATIGUE = 1;

const drowsiness = grammar(`${head('DAR')}${NAME}(\\d),(\\d{1,2}),,,${LOCATION}`, (m, report) => {
  const draft = readLocation(m, 3);
  if (Number(m[1]) === FATIGUE) {
    draft.attributes['alarm'] = 'fatigueDriving';
    draft.attributes['fatigueDegree'] = Number(m[2]);
  } else {
    draft.attributes['warningType'] = Number(m[1]);
  }
  return keepTail(draft, m, report);
});

const transparent = grammar(`${head('DTT')}${NAME},,\\d,\\d{1,6},((?:${HEX_DIGIT}{2})*),${SENT}`, (m, report) => {
  const text = toLatin1(fromHex(m[1]!));
  const fuel = text.includes('COMB') ? Number(text.split(',')[2] || Number.NaN) : Number.NaN;
  return sentAt(outdated(Number.isFinite(fuel) ? { fuel } : { result: text }), report);
});

type AccessoryField = readonly [key: string, factor?: number];
/** By the bits of the mask, which also give the order. */
const ACCESSORY: readonly AccessoryField[] = [
  ['accessoryName'],
  ['accessoryMac'],
  ['accessoryStatus', 1],
  ['accessoryVoltage', 0.001],
  ['accessoryTemp', 1],
  ['accessoryHumidity', 1],
];
const BEACON: readonly (AccessoryField | undefined)[] = [undefined, ACCESSORY[1], undefined, ACCESSORY[3]];

/** BAA, BID: Bluetooth accessory and beacon: mask, the values that it names, location. */
const bluetooth = (source: string, table: readonly (AccessoryField | undefined)[], most: number): ReadReport =>
  grammar(`${source}(${HEX_DIGIT}{4}),((?:[^,]{1,64},){0,${most}})${LOCATION}`, (m, report) => {
    const draft = readLocation(m, 3);
    readAccessory(Number.parseInt(m[1]!, 16), m[2]!.split(','), table, draft.attributes);
    return keepTail(draft, m, report);
  });

function readAccessory(
  mask: number,
  values: readonly string[],
  table: readonly (AccessoryField | undefined)[],
  attributes: Attributes,
): void {
  let next = 0;
  for (const [bit, field] of table.entries()) {
    if (field === undefined || ((mask >> bit) & 1) === 0) continue;
    const value = values[next++] ?? '';
    const [key, factor] = field;
    if (factor === undefined) {
      if (value !== '') attributes[key] = value;
    } else if (DECIMAL_FIELD.test(value)) attributes[key] = Number(value) * factor;
  }
}

const light = grammar(
  `${head('LSA')}${NAME}\\d,\\d,\\d{1,6},${LOCATION}\\d{1,6},(\\d),(\\d{1,3}),[01],[01]?,(-?\\d{1,3}\\.\\d{1,3})?,${SENT}`,
  (m, report) => {
    const draft = sentAt(readLocation(m, 1), report);
    draft.attributes['lightLevel'] = Number(m[14]);
    draft.attributes['batteryLevel'] = Number(m[15]);
    if (m[16] !== undefined) draft.attributes['temp1'] = Number(m[16]);
    return draft;
  },
);

export const EVENTS: ReadonlyMap<string, ReadReport> = new Map([
  ['LSW', line('LSW', 'in1')],
  ['TSW', line('TSW', 'in2')],
  ['IDA', driver],
  ['WIF', wifi],
  ['GSM', gsm],
  ['VER', version],
  ['PNA', power('PNA', 'powerOn')],
  ['PFA', power('PFA', 'powerOff')],
  ['DAR', drowsiness],
  ['DTT', transparent],
  ['BAA', bluetooth(`${head('BAA')}${NAME}${HEX_DIGIT}{1,4},\\d,\\d,${HEX_DIGIT}{1,8},`, ACCESSORY, 6)],
  ['BID', bluetooth(`${head('BID')}${NAME}\\d,\\d,`, BEACON, 2)],
  ['LSA', light],
]);
