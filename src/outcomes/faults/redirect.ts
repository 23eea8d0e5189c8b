/** Sent to a page somewhere else, as by a captive portal. */
import type { Fault } from './fault.ts';

export const redirect: Fault = (wire, reply, params) =>
  wire.send({
    status: 302,
    headers: { ...reply.headers, 'Content-Type': 'text/html', Location: params.text('location') },
    body: '',
  });
