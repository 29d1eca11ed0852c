import Bowser from 'bowser';

const LONGEST = 500;

/** Browser and system of a User-Agent header in words, "Firefox, Windows"; null when it names neither. */
export function describeDevice(userAgent: string | undefined): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, LONGEST));
  return [browser.name, os.name].filter(Boolean).join(', ') || null;
}
