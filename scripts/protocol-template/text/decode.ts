import { alarm, fix, flag, layout, number, numbered, readPosition, rest, type SentenceProtocol } from '#codec/text';

// TODO elements: the vendor's list, with its clause and the units of docs/vocabulary.md. Others become `io<number>`.
const ELEMENTS = {
  1: flag('ignition'),
  2: number('power', { divisor: 1000 }),
  3: number('odometer'),
  9: alarm('sos'),
};

/** Time, validity, latitude, longitude, altitude, speed, course, elements. */
const POSITION = layout(
  fix.time('yyyyMMddHHmmss'),
  fix.validWhen('A'),
  fix.latitude,
  fix.longitude,
  fix.altitude,
  fix.speed(),
  fix.course(),
  rest(numbered('=', ELEMENTS)),
);

// TODO messages: one entry for each type of the vendor's document.
export const messages: SentenceProtocol['messages'] = {
  P: (fields) => [readPosition(POSITION, fields)],
  H: () => [{ type: 'heartbeat' }],
  R: (fields) => [{ type: 'answer', outcome: fields.text() === '1' ? 'done' : 'refused', text: fields.text() }],
};
