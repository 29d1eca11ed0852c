import { engrave } from './engrave.ts';
import { clamp } from './geometry.ts';
import { INK, type Plate } from './plate.ts';
import { Raster } from './raster.ts';
import { darknessOf, outlineOf, type Relief, type Solid } from './sculpt.ts';

/** A solid that also says where along it a point lies, for lines that run around it. */
export interface Formed extends Solid {
  phase(x: number, y: number, z: number): number;
}

export interface Printing {
  relief: Relief;
  solids: readonly Formed[];
  seed: number;
  spacing?: number;
  /** How much darker or lighter a pixel is than its shade alone. */
  tone?: (dark: number, x: number, y: number) => number;
  /** 1 where it is printed, 0 where the drawing is left open. */
  presence?: (x: number, y: number) => number;
  /** Colours under the ink. */
  body?: string;
  shade?: string;
}

/** Prints a sculpted relief: a shadow on the paper, a wash, lines around the forms, a second set where it is dark, outlines. */
export function engraveRelief(plate: Plate, printing: Printing): Raster {
  const { relief, seed } = printing;
  const spacing = printing.spacing ?? 7.4;
  const { width, height } = relief.id;
  const byId = new Map(printing.solids.map((s) => [s.id, s]));
  const phase = Raster.from(width, height, (x, y) => {
    const id = relief.id.get(x, y);
    return id === 0 ? 0 : (byId.get(id)?.phase(x, y, relief.depth.get(x, y)) ?? 0);
  });
  const tone = printing.tone ?? ((dark) => dark * 0.92 + 0.03);
  const dark = relief.id.map((id, x, y) => (id === 0 ? 0 : clamp(tone(darknessOf(relief, x, y), x, y))));
  const presence = printing.presence ?? (() => 1);
  const wash = (colour: string, amount: Raster, strength: number): void =>
    plate.wash(colour, (x, y) => amount.get(x, y) * presence(x, y), strength);
  const shadow = relief.id.map((_, x, y) => (relief.id.get(x - 26, y - 30) > 0 ? 1 : 0)).blur(22);
  plate.wash('#9c815c', (x, y) => (relief.id.get(x, y) > 0 ? 0 : shadow.get(x, y) * presence(x, y)), 0.4);
  const solid = relief.id.map((id) => (id === 0 ? 0 : 1)).blur(1);
  wash(printing.body ?? '#e3c9a2', solid, 0.4);
  wash(printing.shade ?? '#7d5a48', dark.blur(2), 0.45);
  plate.wash(
    INK,
    engrave({ phase, spacing, seed, jump: 3, darkness: (x, y) => dark.get(x, y) * presence(x, y) }),
    0.92,
  );
  const cross = Raster.from(width, height, (x, y) => (x * 0.8 - y * 0.5 + relief.depth.get(x, y) * 0.5) / 8);
  const deep = (x: number, y: number): number => clamp((dark.get(x, y) - 0.54) * 1.5) * presence(x, y);
  plate.wash(
    INK,
    engrave({ phase: cross, spacing: spacing * 1.08, seed: seed + 1, jump: 3, darkness: deep }),
    0.85,
  );
  wash(INK, outlineOf(relief), 1);
  return dark;
}
