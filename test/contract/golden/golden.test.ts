/** What clients see, kept as files: both OpenAPI documents and every way a request can be refused. */
import { describe, it } from 'vitest';
import { controlProblems, serviceProblems, tokenProblems } from '../../../src/contract/problems.ts';
import { documentsOf, type Served } from '../../support/documents.ts';
import { expectKept } from '../../support/kept-file.ts';

describe('what clients see', async () => {
  const { service, control } = await documentsOf({ fixtures: 'empty' });

  it.each([
    ['openapi.json', unversioned(service)],
    ['control-openapi.json', unversioned(control)],
    ['problems.json', { service: serviceProblems, token: tokenProblems, control: controlProblems }],
  ])('is as %s says', (file, value) => {
    expectKept(`test/contract/golden/${file}`, `${JSON.stringify(value, null, 2)}\n`, 'UPDATE_GOLDEN');
  });
});

/** A release changes the version alone, which nobody needs to review twice. */
function unversioned({ text, document }: Served): unknown {
  const { version } = document.info;
  return JSON.parse(text.replace(`"version":"${version}"`, '"version":"0.0.0"'));
}
