/** A page in place of the JSON, under a status that says all is well. */
import type { Replacement } from './fault.ts';
import { renderPage } from '../error-page.ts';

export const htmlPage: Replacement = (reply) => ({
  status: reply.status < 400 ? 200 : reply.status,
  headers: { ...reply.headers, 'Content-Type': 'text/html' },
  body: renderPage('Please sign in', 'This network asks you to sign in before you go on.'),
});
