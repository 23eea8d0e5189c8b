/** Where health is asked for. Whoever waits for a start asks before anything else is loaded, and this file loads nothing. */
export const healthPath = '/_sandbox/health';
