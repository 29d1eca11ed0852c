import sharp, { type Sharp } from 'sharp';

/** Where a picture was taken, as a phone writes it. */
export const GPS = { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 29/1', GPSLongitudeRef: 'E' };

/** Left half red, right half blue: what is turned or mirrored is seen. */
export function halves(width: number, height: number): Sharp {
  const blue = { create: { width: width / 2, height, channels: 3 as const, background: '#00f' } };
  return sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    { input: blue, left: width / 2, top: 0 },
  ]);
}

/** Something that no format can make small. */
export function noise(width: number, height: number): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
}

/** Three pictures, shown one after the other. */
export async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['#f00', '#0f0', '#00f'].map((background) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** The colour of a point: red, green and blue. */
export async function colourAt(picture: Buffer, left: number, top: number): Promise<number[]> {
  const point = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();
  return [...point];
}
