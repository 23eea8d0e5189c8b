import { SandboxError } from '../../shared/sandbox-error.ts';

/** The command cannot run as it was called. The message says what to change. */
export class UsageError extends SandboxError {
  override readonly name = 'UsageError';

  constructor(message: string) {
    super('invalid-usage', message);
  }
}
