/** Marks a part of a colour profile (ICC.1, annex B.4), with its number and the count of parts after it. */
const PROFILE_MARK = Buffer.from('ICC_PROFILE\0', 'latin1');
/** A part holds its length in 16 bits, of which the length itself, the mark and the two numbers take some. */
const MAX_PART_BYTES = 0xff_ff - 2 - PROFILE_MARK.byteLength - 2;
const MAX_PARTS = 255;

/** Returns a JPEG with this colour profile. One of more than 16 MB is left out. */
export function addJpegProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const count = Math.ceil(profile.byteLength / MAX_PART_BYTES);
  if (count > MAX_PARTS) return jpeg;
  const parts = Array.from({ length: count }, (_, index) => {
    const data = profile.subarray(index * MAX_PART_BYTES, (index + 1) * MAX_PART_BYTES);
    const head = Buffer.from([0xff, 0xe2, 0, 0]);
    head.writeUInt16BE(2 + PROFILE_MARK.byteLength + 2 + data.byteLength, 2);
    return Buffer.concat([head, PROFILE_MARK, Buffer.from([index + 1, count]), data]);
  });
  // After the marker that begins every JPEG.
  return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)]);
}
