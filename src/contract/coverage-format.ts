/** What a coverage file says it is. This file loads nothing, so that a sandbox needs no schema of it to answer. */
export const coverageFormat = 'card-vault-sandbox/coverage';
