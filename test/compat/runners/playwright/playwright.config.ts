/** For the suites that `playwright.test.ts` runs. They open no browser. */
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: '*.suite.ts',
  workers: 1,
  timeout: 120_000,
});
