import { startServer } from '@fabrica/test-peers/start-server.ts';
import { atMost, type Figures } from './figures.ts';
import { galleryTransfer, memoryAtRest, secondStart } from './measures.ts';

/** Measures the transfer of a first visit, the memory of the server, and its start. */
export async function benchPages(figures: Figures): Promise<void> {
  const server = await startServer();
  try {
    const memory = await memoryAtRest(server);
    figures.note('memory at rest, demo content, after the first pages', memory, atMost(150, 'MB'));
    const { scripts, fonts } = await galleryTransfer(server);
    figures.note('client JavaScript of the gallery, as transferred', scripts / 1_000, atMost(140, 'kB'));
    figures.note('fonts of the gallery, as transferred', fonts / 1_000, atMost(60, 'kB'));
  } finally {
    await server.close();
  }
  figures.note('second npm start, command to first answer', await secondStart(), atMost(1.5, 's'));
}
