/** `npm run dose-guard` measures the guard; with `--judge URL` it measures a model that reads translations once more. */
await import(process.argv.includes('--judge') ? './describe-judge.ts' : './describe.ts');
