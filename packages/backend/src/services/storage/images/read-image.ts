import sharp, { type Sharp } from 'sharp';
import { MAX_PIXELS } from './image-tasks.ts';

/** A picture as it is read in the image process: line by line, and only whole. Only the first of an animation. */
export function readPicture(path: string, { seconds }: { seconds: number }): Sharp {
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({
    seconds,
  });
}
