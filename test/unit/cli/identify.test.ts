import { expect, it } from 'vitest';
import { toHex } from '#codec';
import { identifyRecorded } from '../../../src/apps/identify-recorded.ts';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';

const NOW = Date.UTC(2024, 5, 1);
const { streams } = await loadCatalogue();
const identified = (frames: Parameters<typeof identifyRecorded>[0]) => identifyRecorded(frames, streams, NOW);

const teltonika = streams.find(({ id }) => id === 'teltonika')!.simulator;
const login = toHex(teltonika.login!('356307042441013', 1));

it('a recorded session is identified by its frames, as they come', () => {
  expect(identified([{ kind: 'binary', hex: login }])).toEqual({
    type: 'decided',
    protocol: 'teltonika',
    transport: 'tcp',
  });
});

it('text frames have their line end put back', () => {
  const text = '*HQ,2705171109,V1,121300,A,5230.0000,N,01322.0000,E,000.00,000,010624,FFFFFBFF#';
  expect(identified([{ kind: 'text', text }])).toMatchObject({ type: 'decided', protocol: 'h02' });
});

it('requests are identified by their content', () => {
  const uri = '/?id=123456&lat=48.1&lon=11.6&timestamp=1717200000';
  expect(identified([{ kind: 'http', method: 'GET', uri }])).toMatchObject({ type: 'decided', protocol: 'osmand' });
  expect(identified([{ kind: 'http', method: 'GET', uri: '/index.html' }])).toMatchObject({ type: 'undecided' });
});

it('datagrams are identified too, and unknown ones match no protocol', () => {
  const dmt = streams.find(({ id, transports }) => transports[0] === 'udp' || id === 'calamp')!;
  const fix = { time: NOW, latitude: 48, longitude: 11, speed: 1, course: 2, ignition: true };
  const report = toHex(dmt.simulator.report([fix], '356307042441013', 1));
  expect(identified([{ kind: 'binary', hex: report }])).toMatchObject({ protocol: dmt.id, transport: 'udp' });
  expect(identified([{ kind: 'text', text: 'hello' }])).toEqual({ type: 'undecided', candidates: [] });
});
