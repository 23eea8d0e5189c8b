/** Responses of something other than the service, such as a proxy or a captive portal. */
import type { Replacement } from './fault.ts';

/** Renders a small HTML page. The texts must never come from a request. */
export function renderPage(title: string, text: string): string {
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
}

/** Returns a page instead of JSON, with a status that signals success. */
export const htmlPage: Replacement = (reply) => ({
  status: reply.status < 400 ? 200 : reply.status,
  headers: { ...reply.headers, 'Content-Type': 'text/html' },
  body: renderPage('Please sign in', 'This network asks you to sign in before you go on.'),
});

/** Redirects to a page elsewhere, as a captive portal does. */
export const redirect: Replacement = (reply, params) => ({
  status: 302,
  headers: { ...reply.headers, 'Content-Type': 'text/html', Location: params.text('location') },
  body: '',
});
