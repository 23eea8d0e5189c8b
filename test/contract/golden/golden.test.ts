/** The published contract as files: both OpenAPI documents and the table of problems. */
import { describe, it } from 'vitest';
import { controlProblems, serviceProblems, tokenProblems } from '../../../src/contract/problems.ts';
import { documentsOf, type Served } from '../../support/repository/documents.ts';
import { expectKept } from '../../support/repository/kept-file.ts';

describe('the published contract', async () => {
  const { service, control } = await documentsOf({ fixtures: 'empty' });

  it.each([
    ['openapi.json', unversioned(service)],
    ['control-openapi.json', unversioned(control)],
    ['problems.json', { service: serviceProblems, token: tokenProblems, control: controlProblems }],
  ])('matches %s', (file, value) => {
    expectKept(
      `test/contract/golden/${file}`,
      `${JSON.stringify(value, null, 2)}\n`,
      'UPDATE_GOLDEN',
    );
  });
});

/** The document without its version: a release changes only that. */
function unversioned({ text, document }: Served): unknown {
  const { version } = document.info;
  return JSON.parse(text.replace(`"version":"${version}"`, '"version":"0.0.0"'));
}
