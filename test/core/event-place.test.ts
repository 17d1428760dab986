import { describe, expect, it } from 'vitest';
import {
  firstPlace,
  placeText,
  readPlace,
  type SeenOfCall,
} from '../../functions/core/event-place.ts';

describe('a place', () => {
  it.each(['0.0.0', '3.2.4', '3.2.4.1-0-5', '3.2.4.1-0-5.2-1-e', '99999999.1.0'])(
    'reads and writes %s',
    (text) => {
      const place = readPlace(text);
      expect(place && placeText(place)).toBe(text);
    },
  );

  it('begins before everything', () => {
    expect(placeText(firstPlace)).toBe('0.0.0');
    expect(readPlace('0.0.0')).toEqual(firstPlace);
  });

  it('knows what was seen of a call', () => {
    const seen = new Map<string, SeenOfCall>([
      ['1-0', 5],
      ['2-1', 'ended'],
    ]);
    expect(readPlace('3.2.4.1-0-5.2-1-e')).toEqual({ input: 3, turn: 2, slot: 4, seen });
  });

  it.each([
    '',
    'garbage',
    '1.2',
    '1.2.3.',
    '1.2.x',
    '-1.0.0',
    '01.0.0',
    '1.0.0 ',
    '1.2.3.1-0',
    '1.2.3.1-0-f',
    '1.2.3.1-0-5.1-0-6',
    '123456789.0.0',
    `1.2.3${'.1-0-5'.repeat(4000)}`,
  ])('is not %j', (text) => {
    expect(readPlace(text)).toBeUndefined();
  });
});
