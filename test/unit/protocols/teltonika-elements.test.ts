import { describe, expect, it } from 'vitest';
import { fromHex } from '#codec';
import { attr } from '#codec/binary';
import {
  cacheByModel,
  type Element,
  element,
  elementCustom,
  elementFlag,
  elementNumber,
  elementRow,
  elementWith,
  meaningsFor,
  productsFor,
} from '../../../protocols/teltonika/io/meanings.ts';
import { elementNames, namedValues, namesById } from '../../../protocols/teltonika/io/names.ts';
import { preallocatedAttributes } from '../../../protocols/teltonika/io/preallocated.ts';
import { readElements } from '../../../protocols/teltonika/io/read.ts';

/** What elements of one size set: each has an id of one byte and a value. */
function read(bytes: string, size: number, elements: readonly Element[]) {
  const custom: unknown[] = [];
  const target = {
    attributes: {},
    speed: 0,
    custom: (name: string, key: string, raw: number) => custom.push([name, key, raw]),
  };
  const wire = fromHex(bytes);
  readElements(wire, 0, wire.length / (1 + size), 1, size, meaningsFor(elements, ['all']), target);
  return { ...target.attributes, ...(custom.length > 0 && { custom }) };
}

describe('elements of teltonika', () => {
  it('readElements', () => {
    const meanings = meaningsFor([element(239, 'all', elementFlag('ignition'))], ['all']);
    const target = { attributes: {}, speed: 0, custom: () => {} };
    // two elements with an id of one byte and a value of one byte, of which the second has no meaning
    expect(readElements(fromHex('ef010105'), 0, 2, 1, 1, meanings, target)).toBe(4);
    expect(target.attributes).toEqual({ ignition: true, io1: 5 });
    // of two bytes it is the element of another product
    readElements(fromHex('ef0001'), 0, 1, 1, 2, meanings, target);
    expect(target.attributes).toEqual({ ignition: true, io1: 5, io239: 1 });
  });

  it('element', () => {
    expect(element(239, 'all', elementFlag('ignition'))).toMatchObject({ id: 239, products: ['all'] });
  });

  it('elementNumber', () => {
    const power = element(66, 'all', elementNumber('u16', 'power', 1000));
    expect(read('4230d4', 2, [power])).toEqual({ power: 12.5 });
    // 3000 says that the sensor is not connected
    const sensor = element(72, 'all', elementNumber('i32', 'temperature', 10, 1, [3000]));
    expect(read('48000000fa', 4, [sensor])).toEqual({ temperature: 25 });
    expect(read('4800000bb8', 4, [sensor])).toEqual({ io72: 3000 });
  });

  it('elementFlag', () => {
    expect(read('ef00', 1, [element(239, 'all', elementFlag('ignition'))])).toEqual({ ignition: false });
  });

  it('elementWith', () => {
    const strength = element(21, 'all', elementWith('u8', attr('rssi', { max: 5 })));
    expect(read('1504', 1, [strength])).toEqual({ rssi: 4 });
    expect(read('15ff', 1, [strength])).toEqual({});
  });

  it('elementCustom', () => {
    const card = element(10, 'all', elementCustom('u8', 'sdCard', 'sd'));
    expect(read('0a01', 1, [card])).toEqual({ custom: [['sdCard', 'sd', 1]] });
  });

  it('elementRow', () => {
    const temperatures = elementRow(72, 3, 'all', elementNumber('i32', 'temperature#', 10));
    expect(read('48000000fa4affffff9c', 4, temperatures)).toEqual({ temperature1: 25, temperature3: -10 });
  });

  it('meaningsFor', () => {
    const meanings = meaningsFor([element(1, ['FMB', 'FMC'], elementFlag('input1'))], ['FMC']);
    expect(meanings[1]!.key).toBe('input1');
    expect(meanings[0]).toBeUndefined();
  });

  it('productsFor', () => {
    const products = [
      { product: 'FMB', models: /^FMB/ },
      { product: 'tacho', models: /640$/, except: /^FMT/ },
    ];
    expect(productsFor(products, 'FMB640')).toEqual(['FMB', 'tacho']);
  });

  it('cacheByModel', () => {
    let made = 0;
    const tableOf = cacheByModel(
      (model) => model.slice(0, 3),
      (model) => `table ${++made} of ${model}`,
    );
    expect([tableOf('FMB920'), tableOf('FMB130')]).toEqual(['table 1 of FMB920', 'table 1 of FMB920']);
  });

  it('elementNames', () => {
    expect(elementNames(72, 2, 'Dallas Temperature #', 1, 'i32', 0.1, '°C')).toEqual([
      [72, 'Dallas Temperature 1', 'i32', 0.1, '°C'],
      [73, 'Dallas Temperature 2', 'i32', 0.1, '°C'],
    ]);
  });

  it('namesById', () => {
    const names = namesById([[66, 'Voltage', 'u16']], [[66, 'External Voltage', 'u16']]);
    expect(names.get(66)![1]).toBe('External Voltage');
  });

  it('namedValues', () => {
    const names = namesById([[66, 'External Voltage', 'u16', 0.001, 'V']]);
    const meanings = meaningsFor([element(66, 'all', elementNumber('u16', 'power', 1000))], ['all']);
    expect(namedValues({ power: 12.5 }, names, meanings)).toEqual({
      'External Voltage': { id: 66, value: 12.5, unit: 'V' },
    });
  });

  it('preallocatedAttributes', () => {
    const attributesOf = preallocatedAttributes(['event', 'priority', 'sat'], 20);
    expect(attributesOf(0, 1, 9)).toEqual({ event: 0, priority: 1, sat: 9 });
  });
});
