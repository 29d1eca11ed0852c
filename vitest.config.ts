import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/build/**'],
    // Nothing here keeps state in its modules, and most of the time went into loading them anew for each file.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
