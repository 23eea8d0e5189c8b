/** Parameters that several outcomes share, so that one name means one thing. */
import type { Parameter } from '../outcome.ts';

type Named = Readonly<Record<string, Parameter>>;

/** Machine time until the answer, or what stands in its place, begins. */
export function delay(span: string): Named {
  return { delay: { default: span, type: 'ms', about: 'Wait before the first byte' } };
}

export function retryAfter(seconds: number): Named {
  return {
    retryAfter: { default: seconds, type: 'seconds', about: 'What the Retry-After header says' },
  };
}

/** Who writes an error: the service itself, or something in between. */
export function body(form: 'error' | 'html'): Named {
  return {
    body: {
      default: form,
      type: 'text',
      oneOf: ['error', 'html'],
      about: "The service's own error object, or a page",
    },
  };
}

/** The commit point, where one outcome can come at either. */
export function phase(usual: 'before-commit' | 'after-commit'): Named {
  return {
    phase: {
      default: usual,
      type: 'text',
      oneOf: ['before-commit', 'after-commit'],
      about: 'Whether the request is carried out first',
    },
  };
}

/** How many requests a series spends on its first member. */
export function times(count: number): Named {
  return { times: { default: count, type: 'count', about: 'How many requests fail first' } };
}

export function settleAfter(span: string): Named {
  return {
    settleAfter: { default: span, type: 'duration', about: 'Until the sale comes to its end' },
  };
}

export function after(span: string): Named {
  return { after: { default: span, type: 'duration', about: 'Until it happens' } };
}
