import type { Attributes } from '#codec';
import { HARSH, STATES } from './elements.ts';
import type { Report } from './report.ts';

const SHORT_HEX = /^[0-9A-Fa-f]{1,2}$/;
const MILLIVOLTS = /^\d{3,5}$/;
const VOLTS = /^\d{1,2}\.\d{1,2}$/;
const SMALL = /^\d{1,3}$/;
const TEMPERATURE = /^-?\d{1,3}(?:\.\d{1,2})?$/;

type ReadHead = (head: readonly string[], attributes: Attributes) => void;

/** Number and kind of what reports, in two digits, behind a field that depends on the type. */
function kindOf(head: readonly string[]): { readonly id: number; readonly kind: number } | undefined {
  const field = head[1];
  if (field === undefined || !SHORT_HEX.test(field)) return undefined;
  const value = Number.parseInt(field, 16);
  return { id: value >> 4, kind: value % 16 };
}

/** IGL, VGL: kind 0 is ignition on, 1 is off. */
const ignition: ReadHead = (head, attributes) => {
  const kind = kindOf(head)?.kind;
  if (kind === 0 || kind === 1) attributes['ignition'] = kind === 0;
};

/** AIS, MAI: the voltage of an analogue input in mV, number of the input and kind. */
const analogue: ReadHead = (head, attributes) => {
  const at = kindOf(head);
  if (at !== undefined && MILLIVOLTS.test(head[0]!)) attributes[`adc${Math.max(1, at.id)}`] = Number(head[0]) / 1000;
};

/** STT, IDF: state of the device. */
const state: ReadHead = ([code = ''], attributes) => {
  Object.assign(attributes, STATES[code.toUpperCase()]);
};

const always =
  (constants: Attributes): ReadHead =>
  (_, attributes) => {
    Object.assign(attributes, constants);
  };

/** BTC, STC: charging begins and ends; models without a place have millivolts and level of the battery there. */
const charging =
  (charge: boolean): ReadHead =>
  (head, attributes) => {
    attributes['charge'] = charge;
    const at = head.findIndex((field) => /^[34]\d{3}$/.test(field));
    const level = head[at + 1] ?? '';
    if (at < 0 || at > 1 || !/^(?:\d|[1-9]\d|100)$/.test(level)) return;
    attributes['battery'] = Number(head[at]) / 1000;
    attributes['batteryLevel'] = Number(level);
  };

/** What the fields between the name and the fix say, by type. Sources: @Track documents, event reports. */
const HEADS: ReadonlyMap<string, ReadHead> = new Map<string, ReadHead>([
  ['IGL', ignition],
  ['VGL', ignition],
  ['IGN', always({ ignition: true })],
  ['VGN', always({ ignition: true })],
  ['IGF', always({ ignition: false })],
  ['VGF', always({ ignition: false })],
  ['AIS', analogue],
  ['MAI', analogue],
  ['STT', state],
  ['IDF', state],
  ['INF', state],
  [
    'NMR',
    (head, attributes) => {
      const field = head[1];
      if (field !== undefined && SHORT_HEX.test(field)) attributes['motion'] = Number.parseInt(field, 16) === 1;
    },
  ],
  [
    'DIS',
    (head, attributes) => {
      const at = kindOf(head);
      if (at !== undefined) attributes[`in${at.id}`] = at.kind === 1;
    },
  ],
  [
    'HBM',
    (head, attributes) => {
      const alarm = HARSH[kindOf(head)?.kind ?? -1];
      if (alarm !== undefined) attributes['alarm'] = alarm;
    },
  ],
  [
    'EPS',
    (head, attributes) => {
      const supply = head.slice(0, 2).find((field) => MILLIVOLTS.test(field));
      if (supply !== undefined) attributes['power'] = Number(supply) / 1000;
    },
  ],
  [
    'BPL',
    ([volts = ''], attributes) => {
      if (VOLTS.test(volts)) attributes['battery'] = Number(volts);
    },
  ],
  [
    'GSS',
    ([signal = '', satellites = '', code = ''], attributes) => {
      if (signal === '0' || signal === '1') attributes['gps'] = Number(signal);
      if (SMALL.test(satellites)) attributes['sat'] = Number(satellites);
      Object.assign(attributes, STATES[code.toUpperCase()]);
    },
  ],
  [
    'DOS',
    ([output = '', active], attributes) => {
      if (/^[1-4]$/.test(output) && (active === '0' || active === '1')) attributes[`out${output}`] = active === '1';
    },
  ],
  [
    'RMD',
    ([roaming = ''], attributes) => {
      if (/^[0-2]$/.test(roaming)) attributes['roaming'] = roaming !== '0';
    },
  ],
  ['BTC', charging(true)],
  ['STC', charging(false)],
  [
    'TMP',
    ([, supply = ''], attributes) => {
      if (MILLIVOLTS.test(supply)) attributes['power'] = Number(supply) / 1000;
    },
  ],
  [
    'TEM',
    ([, temperature = ''], attributes) => {
      if (TEMPERATURE.test(temperature)) attributes['temp1'] = Number(temperature);
    },
  ],
  [
    'JDS',
    ([jamming], attributes) => {
      if (jamming !== '1') attributes['alarm'] = 'jamming';
    },
  ],
  [
    'GPJ',
    ([, jamming], attributes) => {
      if (jamming === '3') attributes['alarm'] = 'jamming';
    },
  ],
  [
    'ANT',
    ([antenna], attributes) => {
      if (antenna === '1' || antenna === '2') attributes['alarm'] = 'gpsAntennaCut';
    },
  ],
]);

/** Reads what the type names; the fields are kept as they are, since models put other things among them. */
export function readHead({ type }: Report, head: readonly string[], attributes: Attributes): readonly string[] {
  HEADS.get(type)?.(head, attributes);
  return head;
}
