import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The types of browsers, which these need, are not those of the tests. */
interface Body {
  filledIn(fields: object): object;
  constraintsOf(schema: unknown, path: string): object;
}
const source = join(import.meta.dirname, '..', '..', '..', 'web', 'src');
const { filledIn, constraintsOf } = (await import(join(source, 'parts', 'body.ts'))) as Body;
const { newKey, newUser, shareLink } = (await import(join(source, 'bodies.ts'))) as Record<string, unknown>;

describe('a form for the body of a request', () => {
  it('leaves out what is empty, and spaces around texts', () => {
    const fields = { name: ' Office ', days: '', note: '   ', count: 0, isOn: false, of: { a: '', b: 'x ' }, all: [] };
    expect(filledIn(fields)).toEqual({ name: 'Office', count: 0, isOn: false, of: { b: 'x' }, all: [] });
  });

  it('has the limits of the API at its fields', () => {
    expect(constraintsOf(newKey, 'name')).toEqual({ required: true, maxLength: 200 });
    expect(constraintsOf(newKey, 'days')).toEqual({ min: 1, max: 36_500 });
    // its pattern has at least one character
    expect(constraintsOf(newUser, 'username')).toEqual({ required: true });
    expect(constraintsOf(shareLink, 'label')).toEqual({ maxLength: 200 });
    expect(constraintsOf(newKey, 'no-member')).toEqual({});
  });
});
