import { describe, expect, it } from 'vitest';
import { asciiJson } from '../../functions/core/ascii-json.ts';
import { canonicalJson, digestOf } from '../../functions/core/digest.ts';
import { bytesOf, characterAt, clipText } from '../../functions/core/text.ts';

describe('asciiJson', () => {
  it.each([
    ['plain', '{"a":"plain"}'],
    ['é', '{"a":"\\u00e9"}'],
    ['😀', '{"a":"\\ud83d\\ude00"}'],
    ['\u007f', '{"a":"\\u007f"}'],
    ['\n', '{"a":"\\n"}'],
    ['\uffff', '{"a":"\\uffff"}'],
  ])('writes %j in printable ASCII and reads back the same', (text, json) => {
    expect(asciiJson({ a: text })).toBe(json);
    expect(JSON.parse(asciiJson({ a: text }))).toEqual({ a: text });
  });

  it('leaves no character outside 0x20–0x7E', () => {
    const everything = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    const json = asciiJson(everything.join(''));
    expect(json).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(json)).toBe(everything.join(''));
  });
});

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: { d: 1, c: [{ z: 1, y: 2 }] } }, '{"a":{"c":[{"y":2,"z":1}],"d":1}}'],
    [[3, 1, 2], '[3,1,2]'],
    [null, 'null'],
    [{ gone: undefined, kept: null }, '{"kept":null}'],
    [JSON.parse('{"b":1,"__proto__":{"x":2}}'), '{"__proto__":{"x":2},"b":1}'],
  ])('writes %j with sorted keys', (value: unknown, json) => {
    expect(canonicalJson(value)).toBe(json);
  });
});

describe('digestOf', () => {
  it('is the SHA-256 of the text in base64url', () => {
    expect(digestOf('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
    expect(digestOf('a')).not.toBe(digestOf('b'));
  });
});

describe('clipText', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'lo…'],
    ['éééé', 7, 'éé…'],
    ['éééé', 6, 'é…'],
    ['a😀😀', 8, 'a😀…'],
    ['a😀😀', 7, 'a…'],
  ])('cuts %j to %i bytes as %j', (text, bytesMax, clipped) => {
    expect(clipText(text, bytesMax)).toBe(clipped);
    expect(bytesOf(clipText(text, bytesMax))).toBeLessThanOrEqual(bytesMax);
  });

  it('counts bytes, not characters', () => {
    expect(bytesOf('é😀')).toBe(6);
  });
});

describe('characterAt', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 3],
    [4, 3],
    [6, 3],
    [7, 7],
    [99, 7],
  ])('byte %i of "aé😀" belongs to the character at %i', (place, at) => {
    expect(characterAt(Buffer.from('aé😀'), place)).toBe(at);
  });
});
