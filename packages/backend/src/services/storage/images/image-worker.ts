/** The process that decodes images (see `image-process.ts`): it replies to each message, which is a task, with one. */
import { constants, getPriority, setPriority } from 'node:os';
import sharp from 'sharp';
import { cleanImage } from './clean-image.ts';
import type { ImageReply, ImageResult, ImageTask } from './image-tasks.ts';
import { countPixels, inspectImage } from './inspect-image.ts';
import { withinProcessorTime } from './processor-time.ts';
import { createRenderer } from './render-image.ts';

// Set before there are threads, which inherit the priority: requests go first. Where the server's own is lower already, it is kept:
// an account without rights may not raise it. Nothing is decoded twice.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
sharp.cache(false);
sharp.concurrency(1);

const renderImage = createRenderer();

process.on('message', async (task: ImageTask) => {
  process.send?.(await reply(task));
});

async function reply(task: ImageTask): Promise<ImageReply> {
  try {
    return { result: await perform(task) };
  } catch (fault) {
    return { fault: fault instanceof Error ? fault.message : 'unknown' };
  }
}

async function perform(task: ImageTask): Promise<ImageResult> {
  switch (task.kind) {
    case 'inspect':
      return { inspection: await inspectImage(task.source) };
    case 'measure':
      return { pixels: await countPixels(task.source) };
    case 'clean':
      await cleanImage(task.source, task.target);
      return {};
    case 'convert': {
      // Its decoder is large; it is loaded with the first such image.
      const { convertImage } = await import('./convert-image.ts');
      await withinProcessorTime(task.processorSeconds, () => convertImage(task.source, task.target));
      return {};
    }
    case 'render':
      await renderImage(task);
      return {};
  }
}
