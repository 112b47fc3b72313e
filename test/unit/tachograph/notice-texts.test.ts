import { expect, test } from 'vitest';
import { noticesOf } from '../../../src/server/tachograph/engine/rules/notices.ts';
import { noticeText } from '../../../src/server/tachograph/notices/texts.ts';
import { analysed, plan } from './rules/plan.ts';

const MONDAY = '2026-03-02T06:00';
const [ITALY, GERMANY] = [0x1a, 0x0d];
const at = (instant: string): number => Date.parse(`${instant}:00Z`) / 60_000;
const place = (kind: 'begin' | 'end', instant: string, country: number) => ({
  kind,
  at: at(instant),
  country,
  position: null,
});

test('a notice names the end of the day of which no country was entered, and the states of a missing border', () => {
  const timeline = plan(MONDAY, 'D4 R0:45 D4 R12 D4 R0:45 D4 R12 D4 R0:45 D4 R12');
  const { periods, weeklyRests } = analysed(timeline);
  const places = [
    place('begin', '2026-03-02T06:00', ITALY),
    place('begin', '2026-03-03T02:45', GERMANY),
    place('end', '2026-03-03T11:30', GERMANY),
    place('end', '2026-03-04T08:15', GERMANY),
  ];
  const options = { driver: { nation: ITALY, number: 'I0000000123456' }, places };
  const notices = noticesOf(timeline, options as never, periods, weeklyRests);
  const texts = (language: 'it' | 'en') => notices.map((notice) => noticeText(notice, language));
  expect(texts('en')).toEqual([
    'Border crossing not entered: I – D',
    'Country of end of the day not entered',
    'Country of begin of the day not entered',
  ]);
  expect(texts('it')).toEqual([
    'Attraversamento di frontiera non inserito: I – D',
    'Paese di fine giornata non inserito',
    'Paese di inizio giornata non inserito',
  ]);
});
