import { beforeAll, describe, expect, it } from 'vitest';
import { endsSession } from '../../../src/codec/catalogue/commands.ts';
import { type Catalogue, loadCatalogue } from '../../../src/codec/catalogue/index.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue();
});

const custom = (data: string) => ({ type: 'custom', params: { data } });

describe('a command that ends the session of its device', () => {
  it.each([
    ['teltonika', { type: 'rebootDevice', params: {} }],
    ['teltonika', custom('cpureset')],
    ['teltonika', custom(Buffer.from('cpureset').toString('hex'))],
    ['gt06', custom('RESET#')],
    ['gt06', custom('FACTORY#')],
    ['h02', custom('*HQ,1234567890,R1,120000#')],
    ['suntech', custom('03;03')],
    ['tk103', custom('AT00')],
    ['totem', { type: 'factoryReset', params: {} }],
    ['jt808', { type: 'rebootDevice', params: {} }],
    ['ruptela', { type: 'firmwareUpdate', params: {} }],
    [null, custom('cpureset')],
  ])('%s %j', (protocol, command) => {
    expect(endsSession(catalogue, protocol, command)).toBe(true);
  });

  it.each([
    ['teltonika', { type: 'getVersion', params: {} }],
    ['teltonika', custom('setdigout 1')],
    ['teltonika', custom('getver')],
    ['gt06', custom('RELAY,1#')],
    ['h02', custom('*HQ,1234567890,S20,120000,1,1#')],
    ['suntech', custom('03;01')],
  ])('is not %s %j', (protocol, command) => {
    expect(endsSession(catalogue, protocol, command)).toBe(false);
  });
});
