/**
 * Returns whether an ICC profile is that of sRGB, which every viewer assumes for an image without one. It is recognised by
 * its own description (ICC.1, `desc`), in ASCII or in UTF-16.
 */
export function isSrgbProfile(profile: Buffer): boolean {
  const name = readDescription(profile);
  return /^(sRGB|s RGB|c2\b)/i.test(name) && !/scrgb/i.test(name);
}

const TAG_COUNT_AT = 128;
const TAG_LENGTH = 12;
/** More than any valid profile has. */
const MAX_TAGS = 100;

function readDescription(profile: Buffer): string {
  if (profile.length < TAG_COUNT_AT + 4) return '';
  const count = Math.min(profile.readUInt32BE(TAG_COUNT_AT), MAX_TAGS);
  for (let index = 0; index < count; index += 1) {
    const at = TAG_COUNT_AT + 4 + index * TAG_LENGTH;
    if (at + TAG_LENGTH > profile.length) return '';
    if (profile.toString('latin1', at, at + 4) !== 'desc') continue;
    const start = profile.readUInt32BE(at + 4);
    return readText(profile.subarray(start, start + profile.readUInt32BE(at + 8)));
  }
  return '';
}

function readText(tag: Buffer): string {
  const type = tag.toString('latin1', 0, 4);
  // Its first record: length and offset of the text.
  if (type === 'mluc' && tag.length >= 28) {
    const length = tag.readUInt32BE(20);
    const start = tag.readUInt32BE(24);
    return Buffer.from(tag.subarray(start, start + length - (length % 2)))
      .swap16()
      .toString('utf16le');
  }
  return type === 'desc' ? tag.toString('latin1', 12) : '';
}
