/** Replaces the `fetch` of the test environment by the polyfill that POLYFILL names. Polyfills act only if there is none. */
const polyfill = process.env['POLYFILL'] ?? '';
if (polyfill !== '') {
  for (const name of ['fetch', 'Request', 'Response', 'Headers']) {
    Reflect.deleteProperty(globalThis, name);
  }
  await import(polyfill);
}
