/** Sent to a page somewhere else, as by a captive portal. */
import type { Replacement } from './fault.ts';

export const redirect: Replacement = (reply, params) => ({
  status: 302,
  headers: { ...reply.headers, 'Content-Type': 'text/html', Location: params.text('location') },
  body: '',
});
