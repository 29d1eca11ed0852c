import type { TranscriptSegment } from '@fabrica/contract';

/** Returns a transcript as subtitles for a player: SubRip (`srt`) or WebVTT (`vtt`). */
export function writeSubtitles(segments: readonly TranscriptSegment[], format: 'srt' | 'vtt'): string {
  const separator = format === 'srt' ? ',' : '.';
  const cues = segments.map(({ start, end, text }, index) => {
    const times = `${timeOf(start, separator)} --> ${timeOf(end, separator)}`;
    // An empty line would end the cue, and an arrow would be read as times.
    const words = text
      .trim()
      .replaceAll(/\s*\n\s*/g, '\n')
      .replaceAll('-->', '→');
    return `${format === 'srt' ? `${index + 1}\n` : ''}${times}\n${words}\n`;
  });
  return `${format === 'vtt' ? 'WEBVTT\n\n' : ''}${cues.join('\n')}`;
}

/** Returns a time as `01:02:03,456`. */
function timeOf(seconds: number, separator: string): string {
  const ms = Math.max(0, Math.round(seconds * 1_000));
  const part = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  return `${part(ms / 3_600_000)}:${part((ms / 60_000) % 60)}:${part((ms / 1_000) % 60)}${separator}${part(ms % 1_000, 3)}`;
}
